import { statSync } from 'node:fs'
import { join } from 'node:path'
import { quote } from '../../contract/index.ts'
import { type Agent, fileOf } from '../../contracts/index.ts'
import { CONFIG_FILE } from '../../workspace/index.ts'
import type { Places } from './places.ts'
import type { Refusal } from './refusal.ts'

/** The agents whose prompt is the manifest, the lock or the configuration, under whatever name. */
export function withOwnFiles(
  root: string,
  { manifest, lock }: Places,
  agents: readonly Agent[],
): Refusal[] {
  const own = new Map([manifest, lock, CONFIG_FILE].flatMap(path => namesOf(root, path)))
  return agents.flatMap(({ id, file }) => {
    const path = fileOf(manifest, file)
    const [taken] = path === undefined ? [] : namesOf(root, path).flatMap(([n]) => own.get(n) ?? [])
    if (taken === undefined) return []
    const message = `the prompt ${quote(file)} of ${quote(id)} is ${taken}, which is no prompt`
    const hint = 'name the file that the agent is run with'
    return [{ code: 'lock/no-prompt' as const, agent: id, message, hint }]
  })
}

/** A file by its path and, where it is there, by what stays the same whatever link leads to it. */
function namesOf(root: string, path: string): [name: string, path: string][] {
  try {
    const { dev, ino } = statSync(join(root, path))
    return [
      [path, path],
      [`${dev}:${ino}`, path],
    ]
  } catch {
    return [[path, path]]
  }
}
