import { join, posix, relative, sep } from 'node:path'
import type { Fields } from '../../contract/index.ts'
import { type Config, walk } from '../../workspace/index.ts'
import { readSiblings } from '../check/sibling.ts'

/** The mission that a new document belongs to. */
export interface OpenMission {
  readonly id: string
  /** The path of its envelope from the root. */
  readonly path: string
  /** Its only task; `undefined` when it has several. */
  readonly onlyTask?: string
}

/** Finds the mission whose envelope is in the folder or nearest above it, or else the only one in the repository. */
export async function openMission(
  folder: string,
  root: string,
  { ignore }: Config,
): Promise<OpenMission | undefined> {
  for (let here = folder || '.'; ; here = posix.dirname(here)) {
    const found = await missionsIn(here, 'shallow', root, ignore)
    if (found.length > 0) return found.length === 1 ? found[0] : undefined
    if (here === '.' || here === '/') break
  }
  const all = await missionsIn('.', 'deep', root, ignore)
  return all.length === 1 ? all[0] : undefined
}

async function missionsIn(
  folder: string,
  reach: 'shallow' | 'deep',
  root: string,
  ignore: Config['ignore'],
): Promise<OpenMission[]> {
  const missions = new Map<string, string>()
  const tasks = new Map<string, string[]>()
  for (const file of walk(join(root, folder), root, { ignore, reach }).files) {
    const path = relative(root, file).split(sep).join('/')
    const { siblings } = await readSiblings(root, path, {
      wants: name => name.startsWith('mission-'),
    })
    for (const { contract, value } of siblings) {
      const { mission_id: id, tasks: listed } = value as Fields
      if (typeof id !== 'string') continue
      if (contract === 'mission-envelope') missions.set(id, path)
      else tasks.set(id, [...(tasks.get(id) ?? []), ...taskIds(listed)])
    }
  }
  return [...missions].map(([id, path]) => {
    const [only, another] = tasks.get(id) ?? []
    return { id, path, ...(only !== undefined && another === undefined && { onlyTask: only }) }
  })
}

function taskIds(tasks: unknown): string[] {
  return (Array.isArray(tasks) ? tasks : []).flatMap((task: Fields) =>
    typeof task.task_id === 'string' ? [task.task_id] : [],
  )
}
