import { existsSync } from 'node:fs'
import type { Figure, Skip } from '../figure.ts'
import { type Command, MEMORY_METER, peakMemory, race } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { writeDocuments, writeHandoffs } from '../workloads/folder.ts'
import { handoffDocument } from '../workloads/handoff-document.ts'
import { sessionContext } from '../workloads/session-context.ts'
import { sessionState } from '../workloads/session-state.ts'

const MEGABYTE = 1_000_000

/** Peak memory while checking a folder of three kinds of documents, at two sizes. */
export async function memory(stage: Stage): Promise<(Figure | Skip)[]> {
  const what = 'peak memory at 10,000 files'
  if (!existsSync(MEMORY_METER)) return [{ what, skipped: `there is no ${MEMORY_METER}` }]
  const [few, many] = [1_000, 10_000].map(count => mixed(stage, count)) as [Command, Command]
  const held = (name: string, command: Command) => ({
    name,
    run: () => peakMemory(command) / MEGABYTE,
  })
  const [ours, theirs] = await race(stage.quick ? 1 : 7, [
    held('waybill', many),
    held('the same at 1,000', few),
  ])
  if (!ours || !theirs) return []
  return [
    { what, unit: 'MB', ours, theirs, target: { kind: 'times-at-most', limit: 1.5 } },
    { what, unit: 'MB', ours, target: { kind: 'at-most', limit: 250 } },
  ]
}

/** Half of them session contexts, a quarter session states, a quarter handoff documents. */
function mixed(stage: Stage, count: number): Command {
  const cwd = stage.folder(`memory-${count}`)
  writeDocuments(cwd, count / 2, n => `contexts/context-${n}.json`, sessionContext)
  writeDocuments(cwd, count / 4, n => `states/state-${n}.yaml`, sessionState)
  writeHandoffs(cwd, count / 4, handoffDocument)
  return { program: stage.clone.program, args: ['check', 'contexts', 'states', 'docs'], cwd }
}
