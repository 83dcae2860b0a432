import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAST_ROUND, roundDocument } from '../conformance/rounds.ts'
import data from '../conformance/statements.json' with { type: 'json' }
import { openChain } from '../conformance/waybill.ts'
import type { BriefOutput } from '../src/operations/brief/output.ts'
import score from '../src/operations/score.ts'
import { openTestFolder } from './test-folder.ts'

const AGAINST = join(import.meta.dirname, '../conformance/statements.json')
const BUDGETS = [500, 1000, 2000, 4000]
const folder = openTestFolder()
afterAll(() => folder.remove())

const scoreOf = (text: string, round: number) =>
  score.run(
    { file: '-', against: AGAINST, round },
    folder.app({ stdin: async () => new TextEncoder().encode(text) }),
  )

describe('a chain of handoffs whose authors restate nothing', () => {
  /** Briefs after round 12 at the usual budget, and after the last round at each of the four. */
  let usual: BriefOutput
  const last: BriefOutput[] = []
  beforeAll(async () => {
    const chain = openChain(folder.root)
    for (let round = 1; round <= LAST_ROUND; round++) {
      await chain.handOver()
      if (round === 12) usual = await chain.brief()
    }
    for (const budget of BUDGETS) last.push(await chain.brief(budget))
  })

  test('keeps all that is in force over twelve rounds, and shows nothing stale', async () => {
    const { missing, stale, kinds, tokens, budget } = {
      ...(await scoreOf(usual.brief ?? '', 12)),
      budget: usual.budget,
    }
    expect({ missing, shown: stale.shown }).toEqual({ missing: [], shown: [] })
    expect(kinds.every(({ inForce }) => inForce > 0)).toBe(true)
    expect(stale.known).toBeGreaterThan(3)
    expect(tokens).toBeLessThanOrEqual(budget)
  })

  test('keeps every rule over fifty rounds at each budget, or names those that do not fit', async () => {
    for (const { brief, left, inForce } of last) {
      const rules = inForce.filter(({ kind }) => kind === 'rule')
      expect(rules).toHaveLength(6)
      if (brief === null) expect(left.map(({ id }) => id)).toEqual(rules.map(({ id }) => id))
      else expect((await scoreOf(brief, LAST_ROUND)).accepted).toBe(true)
    }
  })
})

test('the newest document and the cut pile of all of them fail the kit', async () => {
  const documents = Array.from({ length: 12 }, (_, i) => roundDocument(i + 1))
  expect(await scoreOf(documents.at(-1) ?? '', 12)).toMatchObject({ accepted: false, survived: 1 })
  const pile = await scoreOf(documents.join('\n'), 12)
  expect(pile.missing).toEqual([])
  expect(pile.stale.shown).toHaveLength(pile.stale.known)
})

test('the kit has its statements, and supersedes some of each kind later', () => {
  const first = data.statements.filter(({ round }) => round === 1)
  const count = (kind: string) => first.filter(one => one.kind === kind).length
  expect(['rule', 'fact', 'decision', 'loop', 'step'].map(count)).toEqual([6, 4, 7, 2, 2])
  const ended = data.statements.flatMap(one => {
    const over = data.statements.find(({ id }) => id === one.supersedes)
    return one.done === undefined ? (over?.kind ?? []) : one.kind
  })
  expect(new Set(ended).size).toBe(5)
})

test('another tool gets the documents of the rounds as files', () => {
  const script = join(import.meta.dirname, '../conformance/rounds.ts')
  const rounds = join(folder.root, 'rounds')
  execFileSync(process.execPath, [script, '3', rounds])
  expect(readdirSync(rounds)).toEqual(['01.md', '02.md', '03.md'])
  expect(readFileSync(join(rounds, '03.md'), 'utf8')).toBe(roundDocument(3))
})
