import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { type Command, race, wholeProcess } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { writeHandoffs, writeRepository } from '../workloads/folder.ts'
import { handoffDocument } from '../workloads/handoff-document.ts'
import { sessionContext } from '../workloads/session-context.ts'

type Job = Pick<Command, 'args' | 'cwd' | 'exits'>

/** How long one command takes from nothing, against Node starting for nothing. */
export function version(stage: Stage): Promise<Figure[]> {
  return cold(stage, '`waybill --version`', 1.5, { args: ['--version'], cwd: stage.folder('cold') })
}

/** One JSON document from nothing. */
export function oneJson(stage: Stage): Promise<Figure[]> {
  const cwd = stage.folder('cold-json')
  writeFileSync(join(cwd, 'context.json'), sessionContext(0))
  return cold(stage, 'one 9 KB session context (JSON)', 2, { args: ['check', 'context.json'], cwd })
}

/** One handoff document from nothing, where Git can tell how far its branch moved on, and where there is no Git. */
export async function oneHandoff(stage: Stage): Promise<Figure[]> {
  const { path } = handoffDocument(0)
  const plain = stage.folder('cold-handoff')
  writeHandoffs(plain, 1, handoffDocument)
  const repository = stage.folder('cold-repository')
  writeRepository(repository, 40, handoffDocument)
  const args = ['check', path]
  return [
    ...(await cold(stage, 'one 7.5 KB handoff document', 3, { args, cwd: plain })),
    ...(await cold(stage, 'the same in a Git repository', undefined, { args, cwd: repository })),
  ]
}

/** A command from nothing: in the clone, installed, and Node starting for nothing. */
export async function cold(
  stage: Stage,
  what: string,
  limit: number | undefined,
  job: Job,
): Promise<Figure[]> {
  const { clone, installed, floor, quick } = stage
  const [ours, packed, theirs] = await race(quick ? 5 : 25, [
    wholeProcess('waybill', { ...job, program: clone.program }),
    wholeProcess('waybill', { ...job, program: installed.program }),
    wholeProcess('node -e 0', floor),
  ])
  if (!ours || !packed || !theirs) return []
  const target = limit === undefined ? {} : { target: { kind: 'times-at-most', limit } as const }
  return [
    { what: `${what}, cold, in the clone`, unit: 'ms', ours, theirs, ...target },
    { what: `${what}, cold, installed`, unit: 'ms', ours: packed, theirs, ...target },
  ]
}
