import { statSync } from 'node:fs'
import { join } from 'node:path'
import { quote } from '../../contract/index.ts'
import { type Agent, fileOf } from '../../contracts/index.ts'
import { CONFIG_FILE, openFiles } from '../../workspace/index.ts'
import type { Places } from './places.ts'
import type { Refusal } from './refusal.ts'

/** Refuses agents whose prompt is the manifest, the lock or the configuration, under any name. */
export function withOwnFiles(
  root: string,
  { manifest, lock }: Places,
  agents: readonly Agent[],
): Refusal[] {
  const own = new Map([manifest, lock, CONFIG_FILE].flatMap(path => namesOf(root, path)))
  const files = openFiles(root)
  return agents.flatMap(({ id, file }) => {
    const path = fileOf(manifest, file, files)
    const [taken] = path === undefined ? [] : namesOf(root, path).flatMap(([n]) => own.get(n) ?? [])
    if (taken === undefined) return []
    const message = `the prompt ${quote(file)} of ${quote(id)} is ${taken}, not a prompt`
    const hint = 'name the prompt file of the agent'
    return [{ code: 'lock/no-prompt' as const, agent: id, message, hint }]
  })
}

/** Identifies a file by its path and, if it exists, by device and inode, so that links match. */
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
