import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The name of the configuration file, at the repository's root. */
export const CONFIG_FILE = 'waybill.yaml'

/** The root of the repository that a path belongs to: the nearest folder with a configuration or a `.git`. */
export function findRoot(path: string): string | undefined {
  let folder = isDirectory(path) ? resolve(path) : dirname(resolve(path))
  while (true) {
    if (isThere(join(folder, CONFIG_FILE)) || existsSync(join(folder, '.git'))) return folder
    const above = dirname(folder)
    if (above === folder) return undefined
    folder = above
  }
}

/** Whether anything stands at a path, a link that leads nowhere included. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
