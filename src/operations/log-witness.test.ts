import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder, recordSmall } from '../../test/ledger-folder.ts'
import { PROGRAM } from '../../test/program.ts'
import type { TestFolder } from '../../test/test-folder.ts'
import { waybill } from '../../test/waybill.ts'
import {
  asked,
  endWitnesses,
  grow,
  openLogOf,
  openWitnessFolder,
  policyText,
  startLiar,
  startWitness,
  type WitnessProcess,
} from '../../test/witnesses.ts'
import { text } from '../cli/render/log-witness.ts'
import { openGateway } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import logCheckpoint from './log-checkpoint.ts'
import logVerify from './log-verify.ts'
import logWitness from './log-witness.ts'

const folders: { remove(): void }[] = []
afterAll(() => {
  endWitnesses()
  for (const folder of folders) folder.remove()
})

async function logOf(entries: number): ReturnType<typeof openLogOf> {
  const made = await openLogOf(entries)
  folders.push(made.log)
  return made
}

function witnessFolder(keys: readonly string[]): TestFolder {
  const folder = openWitnessFolder(keys)
  folders.push(folder)
  return folder
}

/** A copy of a whole repository, as a backup is one. */
function copyOf({ root, app }: LedgerFolder) {
  const to = mkdtempSync(join(tmpdir(), 'waybill-copy-'))
  folders.push({ remove: () => rmSync(to, { recursive: true, force: true }) })
  cpSync(root, to, { recursive: true, preserveTimestamps: true })
  spawnSync('chmod', ['700', join(to, '.waybill/keys')])
  return {
    root: to,
    app: () => app({ root: to, cwd: to }),
    grow: async (entries: number) => {
      const gateway = await openGateway(to, await loadConfig(to), { now: Date.now })
      for (let i = 0; i < entries; i++) await recordSmall(gateway, 100 + i)
      await gateway.close()
    },
  }
}

describe('three witnesses, of which two are enough', () => {
  let log: LedgerFolder
  let witnesses: WitnessProcess[]
  beforeAll(async () => {
    const made = await logOf(3)
    log = made.log
    const roots = [1, 2, 3].map(() => witnessFolder([made.key]).root)
    witnesses = await Promise.all(roots.map(root => startWitness(root)))
    log.write('policy.txt', policyText(witnesses, 2))
    const config = readFileSync(join(log.root, 'waybill.yaml'), 'utf8')
    log.write('waybill.yaml', `${config}witnesses: policy.txt\n`)
  })
  const statuses = () =>
    expect.poll(() => [
      ...new Set(witnesses.flatMap(({ answers }) => answers.map(one => one.status))),
    ])

  test('cosign, and that stands under the published checkpoint', async () => {
    const output = await asked(log)
    expect(output).toMatchObject({ met: true, published: true, size: 3, quorum: 'all' })
    expect(output.codes).toEqual([null, null, null])
    const { note, signers } = await logCheckpoint.run({}, log.app())
    expect(note).toBe(output.note)
    expect(signers.map(({ witness }) => witness)).toEqual([null, 'w0', 'w1', 'w2'])
    expect(signers.map(({ time }) => time === null)).toEqual([true, false, false, false])
    const { verified, witnessed, warnings } = await logVerify.run({}, log.app())
    expect({ verified, warnings }).toEqual({ verified: true, warnings: 0 })
    expect(witnessed).toMatchObject({ met: true, by: [{ name: 'w0' }, {}, {}] })
    expect((await logVerify.run({ policy: 'policy.txt' }, log.app())).verified).toBe(true)
  })

  test('may be asked again, and each has one signature under the checkpoint', async () => {
    expect((await asked(log)).met).toBe(true)
    expect((await logCheckpoint.run({}, log.app())).signers).toHaveLength(4)
    // What each has cosigned is known, so none is asked twice.
    await statuses().toEqual([200])
  })

  test('have not cosigned what the log has grown by, until they are asked', async () => {
    await grow(log, 300)
    const before = await logVerify.run({}, log.app())
    expect(before).toMatchObject({ verified: true, witnessed: { met: false, by: [] } })
    expect(before.faults.map(({ code }) => code)).toEqual(['ledger/not-witnessed'])
    const wanted = await logVerify.run({ policy: 'policy.txt' }, log.app())
    expect(wanted).toMatchObject({ verified: false, first: { code: 'ledger/quorum-not-met' } })
    expect(await asked(log)).toMatchObject({ met: true, size: 303 })
    await statuses().toEqual([200])
    // And the log continues from a cosigned checkpoint.
    await grow(log, 1)
    expect((await logCheckpoint.run({}, log.app())).signers).toHaveLength(1)
    expect((await logVerify.run({}, log.app())).errors).toBe(0)
  })

  test('are enough with one of them dead, and not with two; the exit code says so', async () => {
    const run = () =>
      // Nowhere to remember the log in, as for the functions above.
      waybill(['log', 'witness'], { cwd: log.root, env: { HOME: '', XDG_STATE_HOME: '' } })
    await witnesses[0]?.end()
    const one = await run()
    expect(one.stdout).toMatch(/^✗ w0 has not cosigned/)
    expect(one.stdout).toContain('error[witness/unreachable] cannot be reached (ECONNREFUSED)')
    expect(one.stdout).toContain("✓ the quorum 'all' of policy.txt is met for 304 entries")
    expect({ status: one.status, stderr: one.stderr }).toEqual({ status: 0, stderr: '' })
    await grow(log, 1)
    await witnesses[1]?.end()
    const two = await run()
    expect(two.stdout).toContain("✗ the quorum 'all' of policy.txt is not met for 305 entries")
    expect(two.status).toBe(1)
  })
})

describe('a witness that has seen more', () => {
  let witness: WitnessProcess
  let log: LedgerFolder
  beforeAll(async () => {
    const made = await logOf(3)
    log = made.log
    witness = await startWitness(witnessFolder([made.key]).root)
    log.write('policy.txt', policyText([witness], 1))
  })

  test('detects a log that was put back, and one that continues from there', async () => {
    const older = copyOf(log)
    const other = copyOf(log)
    await grow(log, 2)
    expect((await asked(log)).met).toBe(true)
    const rolledBack = await asked(older)
    expect(rolledBack).toMatchObject({ met: false, codes: ['witness/ahead'] })
    expect(text(rolledBack, (_, word) => word, log.app(), false)).toContain(
      'it has cosigned 5 entries of this log, which has only 3 here',
    )
    await other.grow(2)
    expect((await asked(other)).codes).toEqual(['witness/disagrees'])
    await other.grow(1)
    expect((await asked(other)).codes).toEqual(['witness/disagrees'])
    const codes = ['rolled-back', 'old-size', 'forked', 'old-size', 'inconsistent']
    await expect
      .poll(() => witness.answers.map(({ code }) => code))
      .toEqual([null, ...codes.map(code => `witness/${code}`)])
    // The real one is still served.
    await grow(log, 1)
    expect((await asked(log)).met).toBe(true)
  })
})

test.each([
  ['no policy', '', {}, 'configuration'],
  ['a policy that is not there', '', { policy: 'none.txt' }, 'not-found'],
  ['a policy that is none', 'quorum a\n', { policy: 'policy.txt' }, 'configuration'],
  [
    'a policy that is not UTF-8',
    Buffer.from('# \xff\nquorum none\n', 'latin1'),
    { policy: 'policy.txt' },
    'configuration',
  ],
  ['an address to serve at', 'quorum none\n', { serve: '127.0.0.1:0' }, 'usage'],
])('with %s no witness is asked', async (_, policy, given, code) => {
  const { log } = await logOf(1)
  log.write('policy.txt', policy)
  await expect(logWitness.run(given, log.app())).rejects.toMatchObject({ code })
})

test('where nothing is recorded there is nothing to cosign', async () => {
  const log = await openLedgerFolder()
  folders.push(log)
  log.write('policy.txt', 'quorum none\n')
  await expect(asked(log)).rejects.toMatchObject({ code: 'not-found' })
})

test('an operator who does not want to wait ends it, and nothing is cosigned', async () => {
  const { log } = await logOf(1)
  const { key } = await startWitness(witnessFolder([]).root)
  const slow = await startLiar(() => child.kill('SIGINT'))
  log.write('policy.txt', policyText([{ key, url: slow.url }], 1))
  const args = [PROGRAM, 'log', 'witness', '--policy', 'policy.txt', '--root', log.root]
  const child = spawn(process.execPath, args, { cwd: log.root, stdio: 'ignore' })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  expect(await ended).toBe(130)
  slow.close()
  expect((await logCheckpoint.run({}, log.app())).signers).toHaveLength(1)
})
