import { join, relative } from 'node:path'
import { shellWord } from '../../contract/index.ts'
import type { App } from '../operation.ts'
import { NAME } from './find.ts'

/** Returns the command that sets a status, as typed in the current folder; `path` is relative to the root. */
export function setCommand(path: string, { root, cwd }: Pick<App, 'root' | 'cwd'>) {
  const file = relative(cwd, join(root, path))
  // This file is the one found by default.
  const named = file === NAME ? '' : ` --file ${shellWord(file)}`
  return (address: string, status: string) =>
    `waybill pipeline set ${shellWord(address)} ${status}${named}`
}
