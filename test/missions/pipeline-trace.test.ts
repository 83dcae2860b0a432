import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../src/workspace/index.ts'
import { faultsOf } from '../output.ts'
import { PIPELINE } from '../pipeline-agents.ts'
import { PipelineRuns } from '../pipeline-runs.ts'
import { openTestFolder } from '../test-folder.ts'

const runs = new PipelineRuns(process.env)

const trace = async (...args: readonly string[]) =>
  (await runs.repository.waybill('trace', ...args)).out

interface Trace {
  readonly steps: readonly {
    readonly entry: { readonly kind: string; readonly ids: { readonly task?: string } }
  }[]
}

test('the story of a pipeline tells the session contexts that its agents have written, as JSON, text and SVG', async () => {
  runs.put(PIPELINE)
  const { mission } = await runs.run()
  const at = (name: string) => `${runs.place}/out/${name}`
  const digestOf = (name: string) => sha256(readFileSync(join(runs.root, at(name))))
  const written = (name: string, task: string) => ({
    ...{ path: at(name), contract: 'session-context', digest: digestOf(name), task },
    state: 'as-written',
  })
  const traced = JSON.parse(await trace(mission, '--format', 'json'))
  expect(faultsOf('trace', traced)).toEqual([])
  const contexts = [
    written('found.json', 'ps/1/ps-researcher-001'),
    written('weighed.json', 'ps/1/ps-analyst-002'),
    written('judged.json', 'ps/2/ps-critic-003'),
    written('risks.json', 'nse/1/nse-risk-001'),
  ]
  expect(traced.mission.files).toHaveLength(5)
  expect(traced.mission.files).toEqual(expect.arrayContaining(contexts))
  expect(traced.mission.files).toContainEqual({
    ...written('weighed.md', 'ps/1/ps-analyst-002'),
    contract: null,
  })
  const [text, svg] = [await trace(mission), await trace(mission, '--as', 'svg')]
  for (const { path, digest, task } of contexts) {
    const { steps }: Trace = JSON.parse(await trace(task, '--format', 'json'))
    const own = steps.filter(({ entry }) => entry.ids.task === task)
    expect(own.map(({ entry }) => entry.kind)).toEqual(['handoff-sent', 'handoff-accepted'])
    expect(text).toContain(`    session-context ${path}  ${digest.slice(0, 12)}\n`)
    expect(svg).toContain(`<title>session-context · ${path} · ${digest.slice(0, 12)}</title>`)
  }
})

test('a session context that was changed since, was taken away or stands elsewhere is reported as that', async () => {
  runs.put(PIPELINE)
  const { mission } = await runs.run()
  runs.repository.write(`${runs.place}/out/judged.json`, '{}')
  rmSync(join(runs.root, `${runs.place}/out/weighed.json`))
  const text = await trace(mission)
  expect(text).toMatch(/out\/judged\.json {2}[0-9a-f]{12} {2}changed\n/)
  expect(text).toMatch(/out\/weighed\.json {2}[0-9a-f]{12} {2}gone\n/)
  expect(text).toMatch(/out\/found\.json {2}[0-9a-f]{12}\n/)
  const other = openTestFolder()
  onTestFinished(other.remove)
  expect(await trace(mission, '--root', other.root)).toMatch(
    /found\.json {2}[0-9a-f]{12} {2}elsewhere\n/,
  )
})
