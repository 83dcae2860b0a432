import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { Context } from '../../contract/index.ts'
import type { SessionStateFacts } from './facts.ts'
import { FULL_KEYS, isFull } from './output-mode.ts'
import { PHASES } from './phases.ts'
import { rules } from './rules.ts'
import schema, { type SessionState } from './schema.ts'
import { validate } from './validate.generated.js'

const example = load(
  readFileSync(new URL('fixtures/valid/example.yaml', import.meta.url), 'utf8'),
) as { SESSION_STATE: SessionState }

/** The keys that a short form may hold. */
const SHORT = [
  'Phase',
  'Mode',
  'ConfidenceLevel',
  'Next',
  'LoadedRulebooks',
  'ActiveProfile',
  'ProfileSource',
  'ProfileEvidence',
  'Gates',
  'TicketRecordDigest',
  'NFRChecklist',
]

test('every key of the schema either makes a state full or belongs to the short form', () => {
  const known = Object.keys(schema.properties).filter(key => !SHORT.includes(key))
  expect(new Set(known)).toEqual(new Set([...FULL_KEYS, 'RepoModel']))
  for (const key of SHORT) expect(isFull({ Phase: '4', [key]: '' })).toBe(false)
  for (const key of FULL_KEYS) expect(isFull({ Phase: '4', [key]: null })).toBe(true)
  expect(isFull({ Phase: '4', Notes: 'an unknown key' } as SessionState)).toBe(false)
})

test('no rule throws on a state that is structurally sound, whatever it leaves out', () => {
  const keys = Object.keys(example.SESSION_STATE) as (keyof SessionState)[]
  const states = fc
    .tuple(
      fc.constantFrom(...PHASES.map(phase => phase.written), 5.3, 6),
      fc.subarray(keys),
      fc.constantFrom('NORMAL' as const, 'BLOCKED' as const, 'DRAFT' as const),
      fc.constantFrom(
        ...PHASES.map(phase => `Phase${phase.id}-x`),
        'BLOCKED-WorkingSet',
        'PR-Ready',
        'constructor',
      ),
      fc.integer({ min: 0, max: 100 }),
    )
    .map(([Phase, kept, Mode, Next, ConfidenceLevel]) => {
      const part = Object.fromEntries(kept.map(key => [key, example.SESSION_STATE[key]]))
      return { ...part, Phase, Mode, Next, ConfidenceLevel } as SessionState
    })
  fc.assert(
    fc.property(states, states, (state, previous) => {
      expect(validate(state)).toBe(true)
      const context = { now: 0, document: { text: '' }, facts: { previous } }
      for (const rule of Object.values(rules)) {
        const findings = [...rule.check(state, context as unknown as Context<SessionStateFacts>)]
        expect(findings.every(finding => finding.message !== '')).toBe(true)
      }
    }),
  )
})

test('a state that follows from itself breaks no rule of transition, unless it goes on from a block', () => {
  const facts = { previous: example.SESSION_STATE }
  for (const [name, rule] of Object.entries(rules)) {
    if (!('phase' in rule)) continue
    const context = {
      now: 0,
      document: { text: '' },
      facts,
    } as unknown as Context<SessionStateFacts>
    expect([...rule.check(example.SESSION_STATE, context)], name).toEqual([])
  }
})
