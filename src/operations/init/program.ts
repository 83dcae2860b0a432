import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The program of a repository that has it as a dependency. */
export const LOCAL_PROGRAM = 'node_modules/.bin/waybill'

/** Whether the repository brings the program; its hooks then do not depend on the path. */
export function hasLocalProgram(root: string): boolean {
  return existsSync(join(root, LOCAL_PROGRAM)) || isDependency(root)
}

function isDependency(root: string): boolean {
  try {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    )
    return Object.hasOwn({ ...dependencies, ...devDependencies }, 'waybill')
  } catch {
    return false
  }
}

/** The path as agents have it: npm and npx put programs on it that are not there later. */
export function agentPath(path = ''): string {
  return path
    .split(delimiter)
    .filter(folder => !folder.endsWith('node_modules/.bin'))
    .join(delimiter)
}

/** Whether the hooks of a repository without its own program find one. */
export function isOnPath(path: string): boolean {
  return agentPath(path)
    .split(delimiter)
    .some(folder => folder !== '' && existsSync(join(folder, 'waybill')))
}

/** What to do where hooks find no program. */
export const INSTALL_IT =
  'install it for the repository (npm install --save-dev waybill) and run waybill init --agent again, or for this user ' +
  '(npm install --global waybill)'
