import { readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HandoffRepository, openHandoffRepository } from '../../../test/handoff-repository.ts'
import { waybill } from '../../../test/waybill.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

async function hook(event: string, payload = {}) {
  const stdin = JSON.stringify({ session_id: 's1', ...payload })
  const { status, stdout, stderr } = await waybill(['hook', 'claude-code', event], {
    cwd: repo.root,
    stdin,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.startsWith('{') ? JSON.parse(stdout) : stdout
}

const waybillHere = (...args: string[]) => waybill(args, { cwd: repo.root })
const handOver = (...args: string[]) =>
  waybillHere('handoff', '--state', 'The feed works', '--next', 'Fuzz it', ...args)

describe('an agent that leaves no handoff', () => {
  const drafts = () =>
    readdirSync(join(repo.root, 'handoffs')).filter(name => name.includes('draft'))

  test('is asked once, and its session ends with a draft that keeps notes and rules', async () => {
    await handOver('--rule', 'Vendored code stays as it is')
    await hook('SessionStart')
    expect(await hook('Stop')).toBe('')
    repo.write('src/a.ts', 'export {}')
    expect(await hook('Stop')).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('- src/a.ts'),
    })
    expect(await hook('Stop')).toBe('')
    await waybillHere('note', 'One pass', '--decision')
    await hook('SessionEnd')
    const [draft = ''] = drafts()
    const text = readFileSync(join(repo.root, 'handoffs', draft), 'utf8')
    expect(text).toContain('Drafted by the Waybill hook')
    expect(text).toMatch(/D-[0-9]+: One pass/)
    expect(text).toContain('Vendored code stays as it is')
    expect((await waybillHere('check')).status).toBe(0)
  })

  test('gets one draft where its session ends in two hooks at once, and links that lead nowhere do no harm', async () => {
    repo.write('waybill.yaml', '')
    await hook('SessionStart')
    symlinkSync('loop', join(repo.root, 'loop'))
    await waybillHere('note', 'One pass', '--decision')
    await Promise.all(Array.from({ length: 4 }, () => hook('SessionEnd')))
    expect(drafts()).toHaveLength(1)
  })

  test('is not asked, and nothing is drafted, where a handoff is newer than each change', async () => {
    repo.write('waybill.yaml', '')
    await hook('SessionStart')
    repo.write('src/a.ts', 'export {}')
    await handOver('--decision', 'One pass')
    expect(await hook('Stop')).toBe('')
    await hook('SessionEnd')
    expect(drafts()).toEqual([])
  })

  test('is asked after a compaction too: the draft is not its handoff', async () => {
    repo.write('waybill.yaml', '')
    await hook('SessionStart')
    await waybillHere('note', 'Never rebase main', '--rule')
    repo.write('src/a.ts', 'export {}')
    expect(await hook('PreCompact')).toContain('Never rebase main')
    expect(drafts()).toHaveLength(1)
    expect(await hook('Stop')).toMatchObject({ decision: 'block' })
  })
})

test('sessions that have not been heard of for a month are forgotten', async () => {
  repo.write('waybill.yaml', '')
  await hook('SessionStart', { session_id: 'old' })
  const folder = join(repo.root, '.waybill/hooks')
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1)
  await hook('SessionStart', { session_id: 'new' })
  expect(readdirSync(folder).filter(name => name.startsWith('session-'))).toHaveLength(1)
})
