import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../log-entries.ts'
import { type Fields, type Handoff, handoffOf, keyOf, PRODUCT, signerOf } from './forge.ts'
import { expectNothingLeaked, expectRefused, expectVerified, prepare } from './stand.ts'

// Credentials of every kind, in every place. They are put together here, so that no scanner reports this file.

const prepared = await prepare()
const stand = prepared.stand()

const LETTERS = 'q7Wm2Xk9Tz4Rb8Vn3Lc6Hd1Jf5Gs0PyAeUoIqZxC'
const mixed = (length: number) => LETTERS.repeat(9).slice(0, length)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const header = base64('{"alg":"HS256","typ":"JWT"}').replaceAll('=', '')
const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const GITHUB = `ghp_${mixed(36)}`

/** By kind: a text that holds a credential, and the part of it that must not be shown. */
const KINDS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'a GitHub token': [GITHUB, mixed(36)],
  'a GitLab token': [`glpat-${mixed(20)}`, mixed(20)],
  'a Slack token': [`xoxb-${'123456789012'}-${mixed(24)}`, mixed(24)],
  'a Google API key': [`AIza${mixed(35)}`, mixed(35)],
  'a Stripe key': [`sk_live_${mixed(24)}`, mixed(24)],
  'an npm token': [`npm_${mixed(36)}`, mixed(36)],
  'a PyPI token': [`pypi-Ag${mixed(60)}`, mixed(60)],
  'an Anthropic key': [`sk-ant-api03-${mixed(90)}`, mixed(90)],
  'an OpenAI key': [`sk-proj-${mixed(60)}`, mixed(60)],
  'an AWS access key': [`AKIA${'QWERTYUIOPASDFGH'}`, 'QWERTYUIOPASDFGH'],
  'a Vault token': [`hvs.${mixed(40)}`, mixed(40)],
  'a Hugging Face token': [`hf_${'abcdefGHIJKL'.repeat(3)}`, 'abcdefGHIJKL'.repeat(3)],
  'a JSON Web Token': [`${header}.${mixed(30)}.${mixed(43)}`, mixed(43)],
  'an age identity': [`AGE-SECRET-KEY-1${'QPZRY9X8GF'.repeat(6).slice(0, 58)}`, 'QPZRY9X8GFQPZRY9'],
  'a private key': [`${pem}`, `${pem}`.split('\n')[1] ?? ''],
  'a bearer token': [`Authorization: Bearer ${mixed(32)}`, mixed(32)],
  'basic authentication': [
    `Authorization: Basic ${base64('user:hunter2hunter2')}`,
    base64('user:hunter2hunter2'),
  ],
  'a password in a URL': ['postgres://admin:w1ntersleep@db:5432/x', 'w1ntersleep'],
  'an assigned password': ['password=w1ntersleep', 'w1ntersleep'],
  'an Azure storage key': [`AccountKey=${mixed(86)}==`, mixed(86)],
}

async function refused(
  document: unknown,
  secret: string,
  codes: readonly string[] = ['gateway/secret'],
) {
  const attacked = await stand.receive({ document, envelope: prepared.seal(document) })
  await expectRefused(stand, attacked, codes, [secret])
}

test.each(Object.keys(KINDS))('%s is refused, and is neither shown nor recorded', async kind => {
  const [text, secret] = KINDS[kind] ?? ['', '']
  const handoff = handoffOf()
  handoff.context.request.input_data = { note: `Use ${text}` }
  await refused(handoff, secret)
})

describe('a credential', () => {
  const SECRET = mixed(36)
  test.each<[string, (handoff: Handoff) => void, readonly string[]]>([
    [
      'as a key',
      ({ context }) => {
        context.request.input_data = { [GITHUB]: 1 }
      },
      ['gateway/secret'],
    ],
    [
      'in the conversation',
      ({ context }) => {
        context.state.conversation_history = [{ said: GITHUB }]
      },
      ['gateway/secret'],
    ],
    [
      'as the source agent',
      handoff => {
        handoff.source_agent.agent_id = GITHUB
      },
      [
        'agent-handoff/known-agents',
        'agent-handoff/prompt-hash-matches-lock',
        'agent-handoff/attested',
        'agent-handoff/attested',
        'envelope/wrong-agent',
        'gateway/secret',
      ],
    ],
    [
      'as an unknown field',
      handoff => {
        handoff[GITHUB] = true
      },
      ['schema/additional-properties', 'gateway/secret'],
    ],
    [
      'as the id of the handoff',
      handoff => {
        handoff.handoff_id = GITHUB
      },
      ['schema/pattern', 'gateway/secret'],
    ],
    [
      'as the audit trail',
      ({ governance }) => {
        governance.audit_trail = GITHUB
      },
      ['gateway/secret'],
    ],
    [
      'as a label and its value',
      ({ context }) => {
        context.request.input_data = { password: SECRET }
      },
      ['gateway/secret'],
    ],
  ])('%s is refused', async (_, change, codes) => {
    const handoff = handoffOf()
    change(handoff)
    await refused(handoff, SECRET, codes)
  })

  test('with escapes in it is refused, because it is read as it is meant', async () => {
    const handoff = handoffOf()
    handoff.context.request.input_data = { note: GITHUB }
    const text = JSON.stringify(handoff).replace('ghp_', '\\u0067hp\\u005f')
    const attacked = await stand.receive({ document: text, envelope: prepared.seal(handoff) })
    await expectRefused(stand, attacked, ['gateway/secret'], [SECRET])
  })

  test('in a text that is no JSON is not shown with the fault', async () => {
    const attacked = await stand.receive({ document: `{"a": ${GITHUB}` })
    expect(attacked.ran).toBe(false)
    await expectNothingLeaked(stand, attacked, [SECRET])
  })

  test.each<[string, (predicate: Fields) => void, string]>([
    [
      'audience',
      predicate => {
        predicate.aud = GITHUB
      },
      'envelope/wrong-audience',
    ],
    [
      'audience, behind other words',
      predicate => {
        predicate.aud = `${'a '.repeat(40)}${GITHUB}`
      },
      'envelope/wrong-audience',
    ],
    [
      'nonce',
      predicate => {
        predicate.nonce = GITHUB
      },
      'envelope/malformed-statement',
    ],
    [
      'digest of the one before',
      predicate => {
        predicate.prev = GITHUB
      },
      'envelope/malformed-statement',
    ],
    [
      'end of its time',
      predicate => {
        predicate.exp = GITHUB
      },
      'envelope/malformed-time',
    ],
  ])('that an envelope states as its %s is refused, and not shown', async (_, change, code) => {
    const handoff = handoffOf()
    const envelope = prepared.seal(handoff, { statement: ({ predicate }) => change(predicate) })
    const attacked = await stand.receive({ document: handoff, envelope })
    await expectRefused(stand, attacked, [code], [SECRET, SECRET.slice(0, 6)])
  })

  test('as the id of a key, or as the type of what was signed, is not shown', async () => {
    const handoff = handoffOf()
    const signer = { ...signerOf(keyOf(prepared.sender, PRODUCT)), keyid: GITHUB }
    const untrusted = prepared.seal(handoff, { signers: [signer] })
    const first = await stand.receive({ document: handoff, envelope: untrusted })
    const secrets = [SECRET, SECRET.slice(0, 6)]
    await expectRefused(stand, first, ['envelope/untrusted-key'], secrets)
    const typed = prepared.seal(handoff, { payloadType: GITHUB })
    const second = await stand.receive({ document: handoff, envelope: typed })
    await expectRefused(stand, second, ['envelope/malformed-statement'], secrets)
  })

  test('in a draft is not sent, nor shown, nor recorded', async () => {
    const draft = {
      source_agent: { agent_id: PRODUCT },
      target_agent: { agent_id: 'domain-02-analysis' },
      context: { request: { type: 'task', description: `Use ${GITHUB}` } },
    }
    stand.write('inbox/attack-2000.json', JSON.stringify(draft))
    const run = await stand.run('send', 'inbox/attack-2000.json', '--format', 'json')
    expect(run.status).toBe(1)
    const isFound = expect.arrayContaining([expect.objectContaining({ code: 'gateway/secret' })])
    expect(JSON.parse(run.stdout).diagnostics).toEqual(isFound)
    const last = (await entriesOf(stand)).at(-1)
    expect(last?.statement.predicate).toMatchObject({ stage: 'send', found: isFound })
    await expectNothingLeaked(stand, run, [SECRET])
  })
})

test('all of it is recorded in a log that verifies', () => expectVerified(stand))
