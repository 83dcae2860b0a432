import { join } from 'node:path'
import {
  committedFiles,
  createAtomically,
  lookInState,
  openStateFolder,
  sha256,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** The folder of the state that records which file contents are answers of agents. */
const FOLDER = 'answers'

/** Records that a file holds, or is about to hold, an agent's answer; later answers may replace it. */
export function noteAnswer(path: string, digest: string, { root }: App): void {
  createAtomically(join(openStateFolder(root, FOLDER), nameOf(path, digest)), `${path}\n`, 0o600)
}

/** Reports whether the bytes of a file are recorded as an agent's answer. */
export function isAnswer(path: string, digest: string, { root }: App): boolean {
  return lookInState(root, FOLDER, nameOf(path, digest)) !== undefined
}

/** Reports whether the checked-out commit contains these bytes. */
export function isCommitted(path: string, digest: string, { root }: App): boolean {
  const committed = committedFiles(root, [path])?.get(path)
  return committed !== undefined && sha256(committed) === digest
}

function nameOf(path: string, digest: string): string {
  return sha256(`${digest} ${path}`)
}
