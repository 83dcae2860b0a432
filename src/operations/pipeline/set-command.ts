import { join, relative } from 'node:path'
import { shellWord } from '../../contract/index.ts'
import type { App } from '../operation.ts'
import { NAME } from './find.ts'

/** What sets a status in a file, to be typed in the current folder; the path of the file is that from the root. */
export function setCommand(path: string, { root, cwd }: Pick<App, 'root' | 'cwd'>) {
  const file = relative(cwd, join(root, path))
  // No other one is nearer.
  const named = file === NAME ? '' : ` --file ${shellWord(file)}`
  return (address: string, status: string) =>
    `waybill pipeline set ${shellWord(address)} ${status}${named}`
}
