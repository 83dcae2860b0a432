import { describe, expect, test } from 'vitest'
import { handoffOf } from './forge.ts'
import { expectRefused, expectVerified, prepare } from './stand.ts'

// A handoff may be YAML; what two readers of YAML may read in two ways is refused as it is in JSON.

const prepared = await prepare()
const stand = prepared.stand()

/** A sound handoff as YAML, changed, with the envelope of the sound one. */
function receive(change: (text: string) => string) {
  const handoff = handoffOf()
  const lines = Object.entries(handoff).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const attack = { document: change(lines.join('')), envelope: prepared.seal(handoff) }
  return stand.receive({ ...attack, ending: '.yaml' })
}

test('a handoff in YAML is accepted with the envelope of the same value', async () => {
  const attacked = await receive(text => text)
  expect(attacked).toMatchObject({ ran: true, answer: { answer: 'accepted' } })
})

describe('a handoff in YAML with', () => {
  test.each<[string, (text: string) => string, string]>([
    ['a key twice', text => `${text}protocol_version: "1.0.0"\n`, 'syntax/duplicate-key'],
    ['a merge key', text => `${text}<<: { a: 1 }\n`, 'schema/additional-properties'],
    ['an alias', text => `a: &a 1\nb: *a\n${text}`, 'syntax/yaml-alias'],
    [
      'a tag of its own',
      text => text.replace('context: ', 'context: !!js/function '),
      'syntax/yaml-tag',
    ],
    ['a second document', text => `${text}---\n${text}`, 'syntax/multiple-documents'],
    ['brackets 100,000 deep', text => `a: ${'['.repeat(100_000)}\n${text}`, 'syntax/too-deep'],
    ['a tab as indentation', text => text.replace('context: ', 'context:\n\t'), 'syntax/yaml'],
    [
      'an unquoted time',
      text => text.replace(/timestamp: "(.*)"/, 'timestamp: 2026-11-21 12:00:00'),
      'schema/format',
    ],
  ])('%s is refused', async (_, change, code) => {
    await expectRefused(stand, await receive(change), [code])
  })

  test('aliases that grow without end is refused before anything grows', async () => {
    const grown = Array.from(
      { length: 30 },
      (_, at) => `l${at + 1}: &l${at + 1} [*l${at}, *l${at}]\n`,
    )
    const attacked = await receive(text => `l0: &l0 [a, a]\n${grown.join('')}${text}`)
    await expectRefused(stand, attacked, Array(60).fill('syntax/yaml-alias'))
  })
})

test('all of it is recorded in a log that verifies', () => expectVerified(stand))
