import { resolve } from 'node:path'
import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { cannotRead, readOwnFile } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { faultOf } from './fault.ts'
import type { LogWitnessOutput } from './output.ts'
import { openWitness } from './witness.ts'

const MOST_BYTES = 262_144

/** Answers one request as a witness. */
export async function cosignRequest(
  path: string,
  policy: string | undefined,
  app: App,
): Promise<LogWitnessOutput> {
  const body = await readRequest(path, app)
  const { witness, key, record } = await openWitness(policy, app)
  const { status, line, code, detail, origin, size, cosigned, fork } = await witness.answer(body)
  return {
    role: 'witness',
    answer: line === undefined ? 'refused' : 'cosigned',
    status,
    key,
    origin: origin ?? null,
    size: size ?? null,
    cosigned: cosigned ?? null,
    line: line ?? null,
    fault: faultOf(code, detail),
    recorded: fork ? await record(fork) : null,
  }
}

async function readRequest(path: string, app: App): Promise<string> {
  const bytes = path === '-' ? await app.stdin() : readFile(path, app)
  if (bytes.length > MOST_BYTES)
    throw new WaybillError('usage', `a request has at most ${MOST_BYTES} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new WaybillError('usage', `${quote(path)} is not UTF-8 text`)
  }
}

function readFile(path: string, { cwd }: App): Uint8Array {
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(resolve(cwd, path), MOST_BYTES)
  } catch (cause) {
    throw cannotRead(quote(path), cause)
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `the file ${quote(path)} does not exist`)
}
