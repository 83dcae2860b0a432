import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import set from './pipeline-set.ts'

const PIPELINE = `workflow: { id: parcels, status: ACTIVE, completed_at: null }
pipelines:
  ps: { phases: [{ id: 1, agents: [{ id: writer, status: PENDING }] }] }
barriers: { handover: { status: PENDING, after_phases: [ps-phase-1] } }
`

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folder.write('ORCHESTRATION.yaml', PIPELINE)
})
afterEach(() => folder.remove())

const put = (target: string, status: 'COMPLETE' | 'PENDING') =>
  set.run({ target, status }, folder.app())
const workflow = () =>
  readFileSync(join(folder.root, 'ORCHESTRATION.yaml'), 'utf8').split('\n')[0]?.slice(25)

test('a workflow is complete with the last of its parts, and goes on when one of them is opened again', async () => {
  await put('writer', 'COMPLETE')
  expect(workflow()).toBe('status: ACTIVE, completed_at: null }')
  await put('handover', 'COMPLETE')
  expect(workflow()).toBe('status: COMPLETE, completed_at: "2026-06-01T00:00:00Z" }')
  await put('writer', 'PENDING')
  expect(workflow()).toBe('status: ACTIVE, completed_at: null }')
})

test.each(['PAUSED', 'FAILED', 'CANCELLED'])(
  'a workflow that a person set to %s stays so',
  async status => {
    const text = PIPELINE.replaceAll('PENDING', 'IN_PROGRESS').replace('ACTIVE', status)
    folder.write('ORCHESTRATION.yaml', text)
    await put('writer', 'COMPLETE')
    expect(await put('handover', 'COMPLETE')).toMatchObject({ accepted: true })
    expect(workflow()).toBe(`status: ${status}, completed_at: null }`)
  },
)
