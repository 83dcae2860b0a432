import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, LONGEST_LINE, leafOfDigest } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { layOut } from './confirm.ts'
import { auditEntry } from './entry.ts'
import { Keyring } from './keyring.ts'

/** What both readers of base64 make of a text. */
const both = (text: string) => {
  const strict = fromBase64(text)
  return [layOut(text)?.payload.toString('hex'), strict && Buffer.from(strict).toString('hex')]
}

test('base64 is laid out only as the strict reader reads it, whatever one change there is', () => {
  const change = fc.record({
    at: fc.nat(),
    cut: fc.nat(2),
    put: fc.string({
      unit: fc.constantFrom(...'Az09+/-_=\n \t.\u00ff\u00e4\u20ac'),
      maxLength: 3,
    }),
  })
  const one = fc.property(fc.uint8Array({ maxLength: 200 }), change, (bytes, { at, cut, put }) => {
    const text = Buffer.from(bytes).toString('base64')
    const place = at % (text.length + 1)
    const [sound, wanted] = both(text)
    expect(sound).toBe(wanted)
    const [laidOut, strict] = both(text.slice(0, place) + put + text.slice(place + cut))
    expect(laidOut).toBe(strict)
  })
  fc.assert(one, { numRuns: 5000 })
})

test('every character at every place of a group is laid out only if the strict reader reads it', () => {
  for (const text of ['QUJDREVG', 'QUJDRA==', 'QUJDREU='])
    for (let at = 0; at < text.length; at++)
      for (let code = 0; code < 256; code++) {
        const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
        const [laidOut, strict] = both(changed)
        expect(laidOut, JSON.stringify(changed)).toBe(strict)
      }
})

test('a content that no text can hold is reported as malformed', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const leaf = leafOfDigest(new Uint8Array(32), der, new Uint8Array(64))
  // Memory that is never written takes no room.
  const content = Buffer.alloc(LONGEST_LINE + 1)
  expect(auditEntry({ index: 7, leaf, content }, new Keyring(undefined, sha256))).toMatchObject({
    code: 'ledger/content-malformed',
    index: 7,
    detail: 'it has 536870889 bytes, more than the limit of 536870888',
  })
})
