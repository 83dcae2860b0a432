import { expect, test } from 'vitest'
import { exampleOf } from '../../test/mission-payloads.ts'
import { checkDocument } from '../contract/index.ts'
import { readDocuments } from '../document/index.ts'
import { findContract, loadContract } from './catalogue.ts'

/** Twelve thousand citations that lack both of their parts. */
const FAULTS = 24_000

/** A result of a worker with as many. */
async function checked(more: Partial<Parameters<typeof checkDocument>[3]> = {}) {
  const contract = findContract('worker-result.v1')
  const citations = Array.from({ length: FAULTS / 2 }, () => ({}))
  const value = { ...exampleOf('worker-result.v1'), citations }
  const [document] = (await readDocuments(JSON.stringify(value), 'json')).documents
  if (!contract || !document) throw new Error('there is no such contract')
  const recognised = { contract, value: document.value, base: [] }
  return checkDocument(document, recognised, await loadContract(contract), { now: 0, ...more })
}

test('of many thousand faults all are counted, and no rule is run on what may be at fault', async () => {
  const { accepted, diagnostics, notRun } = await checked()
  expect(accepted).toBe(false)
  expect(diagnostics).toHaveLength(1001)
  expect(diagnostics.at(-1)?.message).toBe(`${FAULTS - 1000} further findings not shown`)
  expect(notRun).toContain('worker-result/no-future-times')
})

test('what is only counted refuses a document, though all that is looked at is allowed', async () => {
  const off = { severity: 'off' as const, reason: 'known' }
  const { accepted, diagnostics } = await checked({
    severities: new Map([['schema/required', off]]),
  })
  expect(accepted).toBe(false)
  expect(diagnostics).toMatchObject([{ code: 'document/more-findings', severity: 'error' }])
})
