import { describe, expect, test } from 'vitest'
import {
  ANALYSIS,
  type Fields,
  type Forging,
  type Handoff,
  handoffOf,
  keyOf,
  newKey,
  PRODUCT,
  signerOf,
  TECHNICAL,
} from './forge.ts'
import { expectNothingLeaked, expectRefused, expectVerified, prepare } from './stand.ts'

// Envelopes and what was signed in them: every way to have a signature that does not cover what is received.

const prepared = await prepare()
const stand = prepared.stand()

async function refused(
  codes: readonly string[],
  envelope: (handoff: Handoff) => string | undefined,
  change: (handoff: Handoff) => void = () => undefined,
): Promise<void> {
  const handoff = handoffOf()
  const text = envelope(handoff)
  change(handoff)
  await expectRefused(stand, await stand.receive({ document: handoff, envelope: text }), codes)
}

const sealed = (forging: Forging) => (handoff: Handoff) => prepared.seal(handoff, forging)

/** Changes an envelope after it was signed. */
const edited =
  (edit: (envelope: Fields & { signatures: Fields[] }) => void) => (handoff: Handoff) => {
    const envelope = JSON.parse(prepared.seal(handoff))
    edit(envelope)
    return JSON.stringify(envelope)
  }

test('what these tests forge is accepted as long as nothing is changed', async () => {
  const handoff = handoffOf()
  const attacked = await stand.receive({ document: handoff, envelope: prepared.seal(handoff) })
  expect(attacked).toMatchObject({ ran: true, status: 0, answer: { answer: 'accepted' } })
  // What is accepted is recorded with its words: where they are looked for, they are found.
  const words = attacked.canary ?? ''
  await expect(expectNothingLeaked(stand, attacked, [words])).rejects.toThrow(/to deeply equal \[]/)
})

describe('an envelope around the wrong thing', () => {
  test.each<[string, (handoff: Handoff) => string | undefined, string]>([
    ['no envelope at all', () => undefined, 'envelope/unsigned'],
    ['the envelope of another handoff', () => prepared.seal(handoffOf()), 'envelope/wrong-subject'],
    [
      'a payload that was changed after it was signed',
      edited(envelope => {
        const statement = JSON.parse(Buffer.from(`${envelope.payload}`, 'base64').toString())
        statement.predicate.nonce = '00'
        envelope.payload = Buffer.from(JSON.stringify(statement)).toString('base64')
      }),
      'envelope/bad-signature',
    ],
    [
      'a payload type that was changed after it was signed',
      edited(envelope => {
        envelope.payloadType = 'application/vnd.waybill.promise+json'
      }),
      'envelope/malformed-statement',
    ],
    [
      'another payload type, signed',
      sealed({ payloadType: 'application/json' }),
      'envelope/malformed-statement',
    ],
    ['a payload that is no JSON', sealed({ payload: 'yes' }), 'envelope/malformed-statement'],
    ['an empty payload', sealed({ payload: '' }), 'envelope/malformed-statement'],
    [
      'a payload that is no UTF-8',
      sealed({ payload: Buffer.from([255, 254]) }),
      'envelope/malformed-statement',
    ],
  ])('%s is refused', (_, envelope, code) => refused([code], envelope))

  test('a document that was changed after it was signed is refused', () =>
    refused(['envelope/wrong-subject'], prepared.seal, ({ context }) => {
      context.request.description = 'Delete everything'
    }))
})

describe('an envelope that two readers may read in two ways', () => {
  const text = (change: (text: string) => string) => (handoff: Handoff) =>
    change(prepared.seal(handoff))
  test.each<[string, (handoff: Handoff) => string]>([
    ['a key twice', text(all => all.replace('{"payload"', '{"payload":"e30=","payload"'))],
    ['a signature key twice', text(all => all.replace('{"keyid"', '{"keyid":"a","keyid"'))],
    ['a key of its own', text(all => all.replace('{"payload"', '{"__proto__":{},"payload"'))],
    ['white space', text(all => `${all.slice(0, -1)} }`)],
    ['a byte order mark', text(all => `\ufeff${all}`)],
    [
      'URL-safe base64',
      handoff => {
        let sealed = prepared.seal(handoff)
        // One signature in a few has none of the characters that differ.
        while (!/"sig":"[^"]*[+/]/.test(sealed)) sealed = prepared.seal(handoff)
        return sealed.replace(/"sig":"[^"]*"/, sig => sig.replaceAll('+', '-').replaceAll('/', '_'))
      },
    ],
    [
      'no signature',
      edited(envelope => {
        envelope.signatures = []
      }),
    ],
    [
      'an empty signature',
      edited(envelope => {
        envelope.signatures = [{ keyid: 'a', sig: '' }]
      }),
    ],
    [
      '17 signatures',
      edited(envelope => {
        envelope.signatures = Array.from({ length: 17 }, () => envelope.signatures[0] ?? {})
      }),
    ],
    ['nothing but a bracket 60,000 times', () => '['.repeat(60_000)],
    ['a second line', text(all => `${all}\n${all}`)],
    ['nothing', () => ''],
  ])('%s makes it malformed', (_, envelope) => refused(['envelope/malformed'], envelope))
})

describe('a statement that says something else', () => {
  const MALFORMED = 'envelope/malformed-statement'
  test.each<[string, NonNullable<Forging['statement']>, string]>([
    [
      'another digest of the handoff',
      s => {
        s.subject[0] = { name: 'handoff', digest: { sha256: '0'.repeat(64) } }
      },
      'envelope/wrong-subject',
    ],
    [
      'another lock',
      s => {
        s.subject[1] = { name: 'prompt-lock', digest: { sha256: '0'.repeat(64) } }
      },
      'envelope/lock-differs',
    ],
    [
      'another manifest',
      s => {
        s.subject[2] = { name: 'prompt-manifest', digest: { sha256: '0'.repeat(64) } }
      },
      'envelope/manifest-differs',
    ],
    [
      'a further subject',
      s => {
        s.subject.push({ name: 'handoff', digest: { sha256: '0'.repeat(64) } })
      },
      MALFORMED,
    ],
    [
      'a subject too few',
      s => {
        s.subject.pop()
      },
      MALFORMED,
    ],
    [
      'no subject',
      s => {
        s.subject = []
      },
      MALFORMED,
    ],
    [
      'its subjects in another order',
      s => {
        s.subject.reverse()
      },
      MALFORMED,
    ],
    [
      'a digest by a weaker algorithm next to the right one',
      s => {
        const [first] = s.subject
        if (first) first.digest.sha1 = '0'.repeat(40)
      },
      MALFORMED,
    ],
    [
      'an unknown field',
      s => {
        s.predicate.scope = 'everything'
      },
      MALFORMED,
    ],
    [
      'no nonce',
      s => {
        delete s.predicate.nonce
      },
      MALFORMED,
    ],
    [
      'another kind of statement',
      s => {
        s.predicateType = 'urn:waybill:predicate:reconciliation:v1'
      },
      MALFORMED,
    ],
    [
      'another type',
      s => {
        s._type = 'https://in-toto.io/Statement/v0.1'
      },
      MALFORMED,
    ],
    [
      'another audience',
      s => {
        s.predicate.aud = TECHNICAL
      },
      'envelope/wrong-audience',
    ],
  ])('with %s is refused', (_, statement, code) => refused([code], sealed({ statement })))

  test('with a key twice is refused, though the signature is good', () =>
    refused(['envelope/malformed-statement'], handoff => {
      const envelope = JSON.parse(prepared.seal(handoff))
      const once = Buffer.from(envelope.payload, 'base64').toString()
      const payload = once.replace('"aud":', `"aud":"${ANALYSIS}","aud":`)
      return prepared.seal(handoff, { payload })
    }))
})

describe('of several signatures', () => {
  const broken = () => ({
    ...signerOf(newKey()),
    keyid: signerOf(keyOf(prepared.sender, PRODUCT)).keyid,
  })
  const good = (agent = PRODUCT) => signerOf(keyOf(prepared.sender, agent))
  test.each<[string, () => Forging['signers'], string]>([
    ['a good one and a bad one', () => [good(), broken()], 'envelope/bad-signature'],
    ['a bad one and a good one', () => [broken(), good()], 'envelope/bad-signature'],
    [
      'a good one and one by an unlisted key',
      () => [good(), signerOf(newKey())],
      'envelope/untrusted-key',
    ],
    [
      'two by others than the source',
      () => [good(ANALYSIS), good(TECHNICAL)],
      'envelope/wrong-agent',
    ],
  ])('%s do not count', (_, signers, code) =>
    refused([code], handoff => prepared.seal(handoff, { signers: signers() ?? [] })),
  )
})

test('all of it is recorded in a log that verifies', () => expectVerified(stand))
