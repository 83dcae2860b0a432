import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder } from '../../test/ledger-folder.ts'
import { text } from '../cli/render/policy-explain.ts'
import type { Predicates } from '../governance/entries/predicates.ts'
import policyExplain from './policy-explain.ts'

const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
const plain = (_: string, word: string) => word
const DETERMINING = [
  { id: 'waybill/write-back', effect: 'permit', reason: 'a person has approved it' },
] as const

let folder: LedgerFolder
/** A write-back that was approved (0), and one that was rejected (1). */
beforeAll(async () => {
  folder = await openLedgerFolder()
  await folder.withGateway(async gateway => {
    const record = (proposal: string, more: Partial<Predicates['writeback-decision']>) =>
      gateway.record('writeback-decision', {
        subject: [{ name: proposal, digest: { sha256: 'ab'.repeat(32) } }],
        ids: { mission: MISSION, artifacts: [proposal] },
        says: {
          ...{ proposal, by: 'Ada', standing: 'claimed', stated: '{}', decision: 'approved' },
          ...{ why: 'it is right', expires: null, ...more },
        },
      })
    const set = 'cd'.repeat(32)
    await record('wb_1', {
      policy: { decision: 'allow', determining: DETERMINING, errors: [], set },
    })
    await record('wb_2', { decision: 'rejected' })
  })
})
afterAll(() => folder?.remove())

const explain = (decision: string, more = {}) =>
  policyExplain.run({ decision, ...more }, folder.app())

test('what policies said to a write-back is explained by the id of its proposal', async () => {
  const explained = await explain('wb_1')
  expect(explained).toMatchObject({
    entry: { kind: 'writeback-decision' },
    decision: { decision: 'allow', determining: DETERMINING, facts: [], found: [] },
  })
  const page = text(explained, plain, folder.app(), false)
  expect(page).toContain('Allowed: writing a result back.')
  expect(page).toContain('a person has approved it (waybill/write-back)')
})

test('as an artifact it is one of its mission, about the proposal', async () => {
  const { artifact } = await explain('wb_1', { artifact: true })
  expect(artifact).toMatchObject({ mission_id: MISSION, subject: 'wb_1' })
})

test('a rejected one was not put to the policies, and the answer says where other decisions are', async () => {
  const explained = await explain('wb_2')
  expect(explained).toMatchObject({ entry: { kind: 'writeback-decision' }, decision: null })
  const page = text(explained, plain, folder.app(), false)
  expect(page).toContain('The entry records no policy decision.')
  expect(page).toContain('waybill mission show <mission> policy_decision')
})
