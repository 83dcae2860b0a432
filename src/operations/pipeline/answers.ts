import { join } from 'node:path'
import {
  committedFiles,
  createAtomically,
  lookInState,
  openStateFolder,
  sha256,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Where stands which answers of agents stood in which files, by names that follow from both. */
const FOLDER = 'answers'

/** Notes that the answer of an agent stands in a file, or is about to: a later one may be written over it. */
export function noteAnswer(path: string, digest: string, { root }: App): void {
  createAtomically(join(openStateFolder(root, FOLDER), nameOf(path, digest)), `${path}\n`, 0o600)
}

/** Whether it was noted that the bytes of a file are the answer of an agent. */
export function isAnswer(path: string, digest: string, { root }: App): boolean {
  return lookInState(root, FOLDER, nameOf(path, digest)) !== undefined
}

/** Whether Git holds the bytes of a file in the commit that is checked out. */
export function isCommitted(path: string, digest: string, { root }: App): boolean {
  const committed = committedFiles(root, [path])?.get(path)
  return committed !== undefined && sha256(committed) === digest
}

function nameOf(path: string, digest: string): string {
  return sha256(`${digest} ${path}`)
}
