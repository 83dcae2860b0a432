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

/** Whether nothing of a person's is lost with the bytes of a file: they are an agent's answer, or Git holds them. */
export function isReplaceable(path: string, digest: string, { root }: App): boolean {
  if (lookInState(root, FOLDER, nameOf(path, digest)) !== undefined) return true
  const committed = committedFiles(root, [path])?.get(path)
  return committed !== undefined && sha256(committed) === digest
}

function nameOf(path: string, digest: string): string {
  return sha256(`${digest} ${path}`)
}
