import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, openPair, type Pair, textOf } from '../../test/governed-pair.ts'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { entriesOf } from '../../test/log-entries.ts'
import approve from './approve.ts'
import receive from './receive.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'
const ANALYSIS = 'domain-02-analysis'
const ID = '550e8400-e29b-41d4-a716-446655440000'
const ASK_ADA = `@id("ask-ada") @needs("the approval of ada") forbid (principal, action == Waybill::Action::"handoff", resource) unless { context.approvals.contains("ada") };`

const opened: { remove(): void }[] = []
afterAll(() => {
  for (const one of opened) one.remove()
})

function ask({ root, write }: GovernedRepository) {
  mkdirSync(join(root, 'policies'))
  write('policies/ada.cedar', ASK_ADA)
}

const BY_ADA = { by: 'ada', why: 'read it' }

describe('where a name is enough', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await openPair('people: claimed\npolicies: policies\n')
    mkdirSync(join(pair.sender.root, 'policies'))
    pair.sender.write('policies/none.cedar', '// none\n')
    ask(pair.receiver)
    opened.push(pair)
  })

  const approving = (given: Parameters<typeof approve.run>[0]) =>
    approve.run(given, pair.receiver.app())

  test('what waits is accepted once it is approved, and the entry says by whom', async () => {
    const path = await pair.bring()
    const waiting = await pair.receive(path)
    expect(waiting.answer).toBe('needs-input')
    const approved = await approving({ handoff: path, ...BY_ADA })
    expect(approved).toMatchObject({
      outcome: 'recorded',
      decision: 'approved',
      handoff: waiting.handoff,
      from: PRODUCT,
      to: ANALYSIS,
      standing: 'claimed',
    })
    const entry = (await entriesOf(pair.receiver)).at(-1)
    expect(entry).toMatchObject({
      kind: 'approval',
      digest: approved.receipt?.digest,
      statement: {
        subject: [{ name: 'handoff', digest: { sha256: approved.sha256 } }],
        predicate: { by: 'ada', why: 'read it', decision: 'approved' },
      },
    })
    expect(await pair.receive(path)).toMatchObject({ answer: 'accepted' })
  })

  test('an id stands for the one document that waits under it', async () => {
    const path = await pair.bring()
    const { handoff } = await pair.receive(path)
    const shown = await approving({ handoff: handoff ?? '', dryRun: true })
    expect(shown).toMatchObject({ outcome: 'would-record', receipt: null, by: null })
    expect((await pair.receive(path)).answer).toBe('needs-input')
    const { sha256 } = await approving({ handoff: handoff ?? '', ...BY_ADA })
    expect(sha256).toBe(shown.sha256)
    expect((await pair.receive(path)).answer).toBe('accepted')
    const late = approving({ handoff: handoff ?? '', ...BY_ADA })
    await expect(late).rejects.toThrow(/is already accepted, as '.+#[0-9a-f]{64}'/)
  })

  test('an approval is of these words: a document that is written otherwise has it, a changed one has not', async () => {
    const path = await pair.bring()
    const text = textOf(pair.receiver, path)
    const changed = text.replace('feature X', 'feature Y')
    pair.receiver.write('changed.json', changed)
    await approving({ handoff: 'changed.json', ...BY_ADA })
    expect((await pair.receive(path)).answer).toBe('needs-input')
    await approving({ handoff: path, ...BY_ADA })
    pair.receiver.write(path, JSON.stringify(JSON.parse(text)))
    expect((await pair.receive(path)).answer).toBe('accepted')
  })

  test.each([['the approval of another person', [{ by: 'eve' }]]])(
    '%s is none',
    async (_, words) => {
      const path = await pair.bring()
      for (const more of words) await approving({ handoff: path, ...BY_ADA, ...more })
      expect((await pair.receive(path)).answer).toBe('needs-input')
    },
  )

  test.each([
    ['a rejection', [{ reject: true }]],
    ['an approval that was taken back', [{}, { reject: true }]],
    ['a rejection together with the approval of another person', [{ by: 'eve', reject: true }, {}]],
  ])('%s is a refusal', async (_, words) => {
    const path = await pair.bring()
    for (const more of words) await approving({ handoff: path, ...BY_ADA, ...more })
    const answer = await pair.receive(path)
    expect([answer.answer, codesOf(answer)]).toEqual(['rejected', ['gateway/not-approved']])
  })

  test('a person who rejected it may approve it later', async () => {
    const path = await pair.bring()
    await approving({ handoff: path, ...BY_ADA, reject: true })
    await approving({ handoff: path, ...BY_ADA })
    expect((await pair.receive(path)).answer).toBe('accepted')
  })

  test('an approval excuses nothing', async () => {
    const path = await pair.bring()
    pair.receiver.write('bare.json', textOf(pair.receiver, path))
    await approving({ handoff: 'bare.json', ...BY_ADA })
    expect(codesOf(await pair.receive('bare.json'))).toEqual(['envelope/unsigned'])
  })

  test.each([
    ['no person', { handoff: 'draft-0.json' }, /needs --by/],
    ['no reason', { handoff: 'draft-0.json', by: 'ada', why: ' ' }, /needs --by/],
    [
      'a credential',
      { handoff: 'x', by: 'ada', why: `ghp_${'a1B2c3D4e5'.repeat(4)}` },
      /credential/,
    ],
    [
      'the name of the source agent',
      { handoff: 'whole.json', ...BY_ADA, by: PRODUCT },
      /is an agent/,
    ],
    [
      'the same otherwise written',
      { handoff: 'whole.json', ...BY_ADA, by: PRODUCT.toUpperCase() },
      /is an agent/,
    ],
    ['no such file', { handoff: 'none.json', ...BY_ADA }, /does not exist/],
    ['no such id', { handoff: ID, ...BY_ADA }, /no handoff received/],
    ['a page', { handoff: 'page.md', ...BY_ADA }, /not a single handoff/],
    ['a draft without an id', { handoff: 'nameless.json', ...BY_ADA }, /not a single handoff/],
  ])('%s approves nothing', async (_, given, words) => {
    pair.receiver.write('page.md', '# x\n')
    const whole = { handoff_id: ID, ...draftOf(PRODUCT, ANALYSIS) }
    pair.receiver.write('whole.json', JSON.stringify(whole))
    pair.receiver.write('nameless.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
    const before = (await entriesOf(pair.receiver)).length
    await expect(approving(given)).rejects.toThrow(words)
    expect((await entriesOf(pair.receiver)).length).toBe(before)
  })
})

describe('where people sign', () => {
  let repository: GovernedRepository
  beforeAll(async () => {
    repository = await openGovernedRepository('policies: policies\n')
    opened.push(repository)
    ask(repository)
    const { root } = repository
    for (const name of ['ada', 'eve']) {
      const file = join(root, `.waybill/${name}`)
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    }
    const [type, key] = readFileSync(join(root, '.waybill/ada.pub'), 'utf8').split(' ')
    const ada = `  - { person: ada, key: "${type} ${key}", from: 2026-01-01T00:00:00Z }\n`
    const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
    repository.write('waybill.yaml', config.replace(/^trust:\n/m, `trust:\n${ada}`))
    repository.commit()
  })

  test('a draft is approved by the key of that person alone, as long as it is listed, and then sent and received', async () => {
    const { root } = repository
    const draft = { handoff_id: ID, ...draftOf(PRODUCT, ANALYSIS) }
    repository.write('draft.json', JSON.stringify(draft))
    const sending = () => send.run({ path: 'draft.json', to: 'out' }, repository.app())
    mkdirSync(join(root, 'out'))
    expect(await sending()).not.toHaveProperty('note')
    repository.write('nameless.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
    expect(await send.run({ path: 'nameless.json', to: 'out' }, repository.app())).toMatchObject({
      answer: 'needs-input',
      note: expect.stringMatching(/has no handoff_id/),
    })
    expect((await sending()).answer).toBe('needs-input')
    const asked = (key?: string) =>
      approve.run(
        { handoff: 'draft.json', ...BY_ADA, ...(key && { key: join(root, key) }) },
        repository.app(),
      )
    await expect(asked()).rejects.toThrow(/has to sign/)
    await expect(asked('.waybill/eve')).rejects.toThrow(/cannot verify that ada states this/)
    expect((await sending()).answer).toBe('needs-input')
    const { sha256, standing } = await asked('.waybill/ada')
    expect(standing).toBe('proved')
    const { stated } = (await entriesOf(repository)).at(-1)?.statement.predicate ?? {}
    expect(JSON.parse(String(stated))).toMatchObject({ handoff: ID, sha256, decision: 'approved' })
    // Otherwise a person who may write a file could list a key for a moment.
    const listed = readFileSync(join(root, 'waybill.yaml'), 'utf8')
    repository.write('waybill.yaml', listed.replace(/^ {2}- \{ person: ada.*\n/m, ''))
    expect((await sending()).answer).toBe('needs-input')
    repository.write('waybill.yaml', listed)
    const { document, answer } = await sending()
    expect(answer).toBe('sent')
    // What follows from the approved draft needs no second approval here, unless someone changes it.
    const path = document ?? ''
    const text = readFileSync(join(root, path), 'utf8')
    repository.write(path, text.replace('feature X', 'feature Y'))
    const refused = await receive.run({ path }, repository.app())
    expect(refused.attestation?.policy?.decision).not.toBe('allow')
    repository.write(path, text)
    expect((await receive.run({ path }, repository.app())).answer).toBe('accepted')
  })

  test('what was claimed while names were enough does not count any more', async () => {
    const id = ID.replace('550e', '650e')
    repository.write(
      'other.json',
      JSON.stringify({ handoff_id: id, ...draftOf(PRODUCT, ANALYSIS) }),
    )
    const file = join(repository.root, 'waybill.yaml')
    copyFileSync(file, `${file}.kept`)
    repository.write('waybill.yaml', `people: claimed\n${readFileSync(file, 'utf8')}`)
    repository.commit()
    await approve.run({ handoff: 'other.json', ...BY_ADA }, repository.app())
    copyFileSync(`${file}.kept`, file)
    const sent = await send.run({ path: 'other.json' }, repository.app())
    expect(sent.answer).toBe('needs-input')
  })
})

test('an id under which several documents wait stands for none of them', async () => {
  const repository = await openGovernedRepository(
    `people: claimed\npolicies: policies\nunsigned: [${PRODUCT}]\n`,
  )
  opened.push(repository)
  mkdirSync(join(repository.root, 'policies'))
  repository.write('policies/none.cedar', '// none\n')
  repository.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  const { document } = await send.run({ path: 'draft.json' }, repository.app())
  const text = readFileSync(join(repository.root, document ?? ''), 'utf8')
  repository.write('policies/ada.cedar', ASK_ADA)
  const receiving = (words: string) => {
    repository.write('bare.json', text.replace('feature X', words))
    return receive.run({ path: 'bare.json' }, repository.app())
  }
  const { handoff, answer } = await receiving('feature X')
  expect(answer).toBe('needs-input')
  await receiving('feature Y')
  const asked = approve.run({ handoff: handoff ?? '', ...BY_ADA }, repository.app())
  await expect(asked).rejects.toThrow(/several documents/)
  expect((await receiving('feature Y')).answer).toBe('needs-input')
  await approve.run({ handoff: 'bare.json', ...BY_ADA }, repository.app())
  expect((await receiving('feature X')).answer).toBe('needs-input')
  expect((await receiving('feature Y')).answer).toBe('accepted')
  const late = approve.run({ handoff: handoff ?? '', ...BY_ADA }, repository.app())
  await expect(late).rejects.toThrow(/is already accepted/)
})
