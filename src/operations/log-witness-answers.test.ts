import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerFolder } from '../../test/ledger-folder.ts'
import { pairOf } from '../../test/tree.ts'
import { asked, type Liar, openLogOf, policyText, startLiar } from '../../test/witnesses.ts'
import { digestBytes, gatherCosignatures, readWitnessPolicy } from '../governance/index.ts'
import {
  COSIGNATURE,
  cosigner,
  formatSignature,
  formatVerifierKey,
  parseNote,
  parseWitnessRequest,
  verifierKey,
} from '../ledger/index.ts'

const pair = pairOf(7)
const liarKey = verifierKey(digestBytes, 'liar.example', COSIGNATURE, pair.publicKey)
const otherPair = pairOf(8)
const otherKey = verifierKey(digestBytes, 'other.example', COSIGNATURE, otherPair.publicKey)

/** A cosignature on the checkpoint of a request, or on another text. */
function lineOn(body: string, change = (checkpoint: string) => checkpoint, by = liarKey) {
  const request = parseWitnessRequest(body)
  const note = 'fault' in request ? request : parseNote(request.checkpoint)
  if ('fault' in note) throw new Error(note.fault)
  const signer = cosigner(by, by === liarKey ? pair.sign : otherPair.sign, 1_800_000_000)
  const bytes = signer.sign(new TextEncoder().encode(change(note.text)))
  return formatSignature({ ...by, bytes })
}

/** With one character of the signature changed. */
const broken = (line: string) =>
  `${line.slice(0, -20)}${line.at(-20) === 'A' ? 'B' : 'A'}${line.slice(-19)}`

const status =
  (code: number, body = '', headers = {}): Liar =>
  (_, response) =>
    response.writeHead(code, headers).end(body)
const saying =
  (line: (body: string) => string): Liar =>
  (body, response) =>
    response.end(line(body))

const endless: Liar = (_, response) => {
  const more = () => {
    while (response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

describe('a witness that', () => {
  let log: LedgerFolder
  beforeAll(async () => {
    log = (await openLogOf(4)).log
  })
  afterAll(() => log.remove())

  /** Asks one witness that answers in some way. */
  async function ask(lie: Liar, timeout = 60_000) {
    const liar = await startLiar(lie)
    log.write('liar.txt', policyText([{ key: formatVerifierKey(liarKey), url: liar.url }], 1))
    try {
      return await log.withGateway(({ log: opened, origin }) => {
        const memory = { sizeOf: () => 0, keep: () => undefined }
        const own = new Set<string>()
        const read = readFileSync(join(log.ledger, 'checkpoint'), 'utf8')
        const note = parseNote(read)
        if ('fault' in note) throw new Error(note.fault)
        for (const { name, id } of note.signatures) if (name === origin) own.add(`${name}+${id}`)
        const policy = readWitnessPolicy(join(log.root, 'liar.txt'))
        return gatherCosignatures(opened, { policy, memory, patience: { timeout }, own })
      })
    } finally {
      liar.close()
    }
  }

  test.each<readonly [what: string, lie: Liar, code: string]>([
    [
      'signs something else',
      saying(body => lineOn(body, all => all.replace('\n4\n', '\n5\n'))),
      'bad-cosignature',
    ],
    ['sends a broken signature', saying(body => broken(lineOn(body))), 'bad-cosignature'],
    [
      'sends a good signature and a bad one',
      saying(body => lineOn(body) + lineOn(body, all => all.replace('\n4\n', '\n3\n'))),
      'bad-cosignature',
    ],
    ['signs with another key', saying(body => lineOn(body, all => all, otherKey)), 'not-cosigned'],
    ['answers with a page', saying(() => '<html>\n'), 'answer-malformed'],
    ['answers with nothing', saying(() => ''), 'answer-malformed'],
    ['answers with what is not UTF-8', (_, r) => r.end(Buffer.of(0xff)), 'answer-malformed'],
    ['never stops answering', endless, 'answer-too-large'],
    ['sends one elsewhere', status(307, '', { location: 'http://127.0.0.1:1/' }), 'redirected'],
    ['fails', status(500), 'refused'],
    ['calls the request bad', status(400, 'no\n'), 'refused'],
    ['does not know the key', status(403), 'key-not-known'],
    ['does not know the log', status(404), 'log-not-known'],
    ['finds the proof wrong', status(422), 'disagrees'],
    ['has a size that is none', status(409, 'four\n'), 'answer-malformed'],
    ['has a size without its line end', status(409, '4'), 'answer-malformed'],
    ['has seen more of the log', status(409, '5\n'), 'ahead'],
    ['has the size that it is asked from', status(409, '0\n'), 'disagrees'],
    [
      'has another size each time',
      (b, r) => status(409, b.startsWith('old 2') ? '3\n' : '2\n')(b, r, r.req),
      'disagrees',
    ],
    ['hangs up', (_, response) => response.destroy(), 'unreachable'],
  ])('%s has not cosigned', async (_, lie, code) => {
    const before = readFileSync(join(log.ledger, 'checkpoint'), 'utf8')
    const { witnesses, met } = await ask(lie)
    expect(witnesses).toMatchObject([{ time: undefined, fault: { code: `witness/${code}` } }])
    expect(met).toBe(false)
    expect(readFileSync(join(log.ledger, 'checkpoint'), 'utf8')).toBe(before)
  })

  test.each<readonly [what: string, lie: Liar]>([
    ['never answers', () => undefined],
    [
      'begins to answer',
      (_, response) => {
        response.write('— ')
      },
    ],
  ])('%s is not waited for', async (_, lie) => {
    const { witnesses } = await ask(lie, 300)
    expect(witnesses).toMatchObject([{ fault: { code: 'witness/timeout' } }])
  })

  test('signs for others too is believed for its own key alone', async () => {
    const both = saying(body => lineOn(body, all => all, otherKey) + lineOn(body))
    const { witnesses, met, signed } = await ask(both)
    expect(witnesses).toMatchObject([{ time: 1_800_000_000, fault: undefined }])
    expect(met).toBe(true)
    expect(signed.note).toContain('— liar.example ')
    expect(signed.note).not.toContain('— other.example ')
  })

  test('asks for another size is asked again from there, once', async () => {
    const olds: string[] = []
    const { met } = await ask((body, response) => {
      olds.push(body.split('\n', 1)[0] ?? '')
      if (olds.length === 1)
        response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('3\n')
      else response.end(lineOn(body))
    })
    expect(olds).toEqual(['old 0', 'old 3'])
    expect(met).toBe(true)
  })

  test.each([
    ['', 'no-url'],
    ['ftp://127.0.0.1/', 'no-url'],
    ['127.0.0.1:80', 'no-url'],
    ['https://user:secret@witness.example/', 'no-url'],
    ['http://witness.example/', 'insecure-url'],
    ['http://11.0.0.1/', 'insecure-url'],
    ['http://[2001:db8::1]/', 'insecure-url'],
    ['http://127.0.0.1.example/', 'insecure-url'],
    ['http://2130706433:1/', 'unreachable'],
    ['http://[::1]:1/', 'unreachable'],
  ])('is at %j is asked only where no other party can listen in', async (url, code) => {
    log.write('policy.txt', policyText([{ key: formatVerifierKey(liarKey), url }], 1))
    const output = await asked(log)
    expect(output.codes).toEqual([`witness/${code}`])
    expect(JSON.stringify(output)).not.toContain('secret')
  })
})
