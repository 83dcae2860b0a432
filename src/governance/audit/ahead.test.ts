import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWriter } from '../../../test/log-process.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { ORIGIN, testLog } from '../../../test/test-log.ts'
import { auditLog } from './audit.ts'
import type { CheckpointKey } from './trust.ts'

let home: TestFolder
beforeEach(() => {
  home = openTestFolder()
})
afterEach(() => home.remove())

/** What is found about the files of the log; its entries are no statements. */
async function codes(): Promise<string[]> {
  const { folder, options } = testLog(home.root)
  const verifier = [options.checkpointVerifier].flat()[0]
  if (!verifier) throw new Error('the log has no key')
  const key = { ...verifier, from: 0, verify: verifier.verify as CheckpointKey['verify'] }
  const { faults } = await auditLog({
    folder,
    trust: {
      origin: ORIGIN,
      checkpoints: [key],
      entries: () => undefined,
      others: () => [],
      listed: undefined,
    },
    receipts: [],
    guards: () => options.guards,
    quick: false,
    senders: false,
    isCopy: false,
    help: {},
  })
  return faults.filter(({ file }) => file !== null).map(({ code }) => code)
}

test('wherever a process is killed between two changes on the disk, what it leaves is unfinished and not rolled back', async () => {
  const whole = await startWriter([home.root, 'whole', 3, 3]).ended
  const steps = Number(whole.said.at(-1)?.replace('steps ', ''))
  expect(await codes()).toEqual([])
  const seen: string[] = []
  for (let step = 1; step <= steps; step++) {
    await startWriter([home.root, `s${step}`, 3, 3, `die:${step}`]).ended
    seen.push(...(await codes()))
  }
  expect(seen).toContain('ledger/unpublished')
  expect(seen).toContain('ledger/promises-pending')
  expect(seen).not.toContain('ledger/rolled-back')
})

test('an earlier checkpoint in the place of the last one is rolled back, although the log still has what the last one covered', async () => {
  const checkpoint = join(home.root, 'ledger/checkpoint')
  await startWriter([home.root, 'first', 3]).ended
  const before = readFileSync(checkpoint)
  await startWriter([home.root, 'second', 3]).ended
  writeFileSync(checkpoint, before)
  expect(new Set(await codes())).toEqual(new Set(['ledger/rolled-back']))
  for (const guard of testLog(home.root).options.guards) writeFileSync(guard, before)
  expect(new Set(await codes())).toEqual(new Set(['ledger/rolled-back']))
})
