import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBriefOnce, expectSoundLog } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'waybill-test', folder]).status === 0
const unmount = (folder: string) => execFileSync('umount', ['--lazy', folder])

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-test-'))
  const isMounted = mount(folder)
  if (isMounted) unmount(folder)
  rmSync(folder, { recursive: true })
  return isMounted
}

describe.skipIf(!mayMount())('a ledger on a small disk (skipped where none may be mounted)', () => {
  let repository: MissionRepository
  let ledger = ''
  beforeAll(async () => {
    repository = await openMissionRepository()
    ledger = join(repository.root, '.waybill/ledger')
    mkdirSync(ledger, { recursive: true })
    mount(ledger)
    await repository.worker()
  })
  afterAll(async () => {
    unmount(ledger)
    await repository?.remove()
  })

  const filler = () => join(ledger, 'filler')
  function fill(): void {
    const { bavail, bsize } = statfsSync(ledger)
    writeFileSync(filler(), Buffer.alloc(bavail * bsize))
  }

  test('when it is full amid missions, no agent starts, it is said why, and after a retry all is there once', async () => {
    const before = await repository.begin('brief')
    await expectBriefOnce(repository, before, await repository.reaches(before, 'finished'))

    fill()
    const amid = await repository.begin('brief')
    const { reason, tasks, artifacts } = await repository.reaches(amid, 'failed')
    expect(reason?.message).toMatch(/cannot be written \(ENOSPC\)/)
    expect(tasks.map(({ handoff }) => handoff)).toEqual(tasks.map(() => null))
    expect(artifacts).toEqual([])

    rmSync(filler())
    expect(await repository.mission('retry', amid)).toMatchObject({ code: 0 })
    await expectBriefOnce(repository, amid, await repository.reaches(amid, 'finished'))
    await expectSoundLog(repository)
  })
})
