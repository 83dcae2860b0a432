import type { KeyObject } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { WaybillError } from '../../error.ts'
import {
  createAtomically,
  lookAt,
  lookInState,
  openStateFolder,
  stateFolder,
} from '../../workspace/index.ts'

/** The folder of private keys, in that of local state. */
export const KEYS_FOLDER = 'keys'
const ORIGIN_FILE = 'origin'
const KEY_FILE = /\.([0-9a-f]{64})\.pem$/
const OTHERS = 0o077
const MOST_BYTES = 16_384
const LONGEST_NAME = 100

/** Where private keys are kept. */
export function keysFolder(root: string): string {
  return join(stateFolder(root), KEYS_FOLDER)
}

/** The files of private keys by key id; reading none of them. */
export function listKeyFiles(root: string): ReadonlyMap<string, string> {
  const folder = keysFolder(root)
  const files = new Map<string, string>()
  if (!lookInState(root, KEYS_FOLDER)) return files
  const why = whyUnsafeFolder(root)
  if (why) throw unsafe(why)
  for (const name of namesIn(folder)) {
    const keyid = name.startsWith('.') ? undefined : KEY_FILE.exec(name)?.[1]
    if (keyid) files.set(keyid, join(folder, name))
  }
  return files
}

/** When a file came into the folder of private keys or left it, milliseconds since 1970; `undefined` where there is none. */
export function keysChangedAt(root: string): number | undefined {
  return lookInState(root, KEYS_FOLDER)?.mtimeMs
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const remedy = 'the keys are for their owner alone: run this as whoever made them'
    throw unsafe({ what: `${folder} cannot be read (${code})`, remedy })
  }
}

/** Whether this account may look into the folder of private keys, if there is one. */
export function mayReadKeys(root: string): boolean {
  if (!lookInState(root, KEYS_FOLDER)?.isDirectory()) return true
  try {
    accessSync(keysFolder(root), constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Why the folder of private keys may not be used, and what to do; `undefined` if it may or is not there. */
function whyUnsafeFolder(root: string): Unsafe | undefined {
  const folder = keysFolder(root)
  const shown = relative(root, folder)
  const stats = lookInState(root, KEYS_FOLDER)
  if (!stats) return undefined
  if (!stats.isDirectory()) {
    const remedy = 'move it away: private keys are kept in a folder of that name'
    return { what: `${shown} is no folder`, remedy }
  }
  if ((stats.mode & OTHERS) === 0 || process.platform === 'win32') return undefined
  const mode = (stats.mode & 0o777).toString(8)
  return { what: `others may look into ${shown} (mode ${mode})`, remedy: `run chmod 700 ${shown}` }
}

/** Why private keys are not safe where they are. */
export interface Unsafe {
  readonly what: string
  readonly remedy: string
}

/** Why a file may not be used as a private key, and what to do; `undefined` if it may. */
export function whyUnsafeFile(file: string): Unsafe | undefined {
  const stats = lookAt(file)
  if (!stats) return { what: `${file} is not there`, remedy: 'name the file of a private key' }
  if (!stats.isFile()) {
    const remedy = 'put the key itself there'
    return { what: `${file} is a link or no file`, remedy }
  }
  return whyReadable(file, stats.mode)
}

function whyReadable(file: string, mode: number): Unsafe | undefined {
  if ((mode & OTHERS) === 0 || process.platform === 'win32') return undefined
  return {
    what: `others may use the private key ${file} (mode ${(mode & 0o777).toString(8)})`,
    remedy: `run chmod 600 ${file}; if others may have read it, revoke it`,
  }
}

/**
 * Reads a private key from a file that only its owner can use; a link is not followed.
 *
 * No error repeats anything of what the file holds.
 */
export function readPrivateKey(file: string): KeyObject {
  const text = readPrivateFile(file)
  try {
    return process.getBuiltinModule('node:crypto').createPrivateKey(text)
  } catch {
    throw new WaybillError('input-output', `${file} holds no private key that can be read`)
  }
}

/** The text of a file that only its owner can read. */
export function readPrivateFile(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw unsafe(whyUnsafeFile(file) ?? cannotRead(file, error))
  }
  try {
    // What was opened is looked at, not what stands there by now.
    const stats = fstatSync(descriptor)
    const why = stats.isFile() ? whyReadable(file, stats.mode) : whyUnsafeFile(file)
    if (why) throw unsafe(why)
    if (stats.size > MOST_BYTES) throw unsafe(cannotRead(file, { code: 'EFBIG' }))
    return readFileSync(descriptor, 'latin1')
  } finally {
    closeSync(descriptor)
  }
}

function cannotRead(file: string, error: unknown): Unsafe {
  const { code } = error as NodeJS.ErrnoException
  return { what: `${file} cannot be read (${code})`, remedy: 'make it readable for its owner' }
}

function unsafe({ what, remedy }: Unsafe): WaybillError {
  return new WaybillError('input-output', what, { hint: remedy })
}

/** Keeps a new private key in a file of its own that only its owner can read; gives the file. */
export function createKeyFile(root: string, name: string, keyid: string, key: KeyObject): string {
  const folder = openKeysFolder(root)
  const file = join(folder, `${fileName(name)}.${keyid}.pem`)
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  if (createAtomically(file, pem, 0o600)) return file
  throw new WaybillError('exists', `${file} is there already`)
}

/** The folder of private keys, made where it is missing. */
export function openKeysFolder(root: string): string {
  const folder = openStateFolder(root, KEYS_FOLDER)
  const why = whyUnsafeFolder(root)
  if (why) throw unsafe(why)
  return folder
}

/** Names are for people who look into the folder; the id says which key it is. */
function fileName(name: string): string {
  return name
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\./, '_')
    .slice(0, LONGEST_NAME)
}

/** Takes a private key away for good. */
export function removeKeyFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `${file} cannot be deleted (${code})`, {
      hint: 'delete it yourself: it holds a private key that does not count any more',
      cause,
    })
  }
}

/** The origin of the log whose key was made here. */
export function readOrigin(root: string): string | undefined {
  const folder = keysFolder(root)
  const file = join(folder, ORIGIN_FILE)
  const why = whyUnsafeFolder(root)
  if (why) throw unsafe(why)
  // Says why where it may not be looked into.
  if (!mayReadKeys(root)) namesIn(folder)
  if (!lookInState(root, KEYS_FOLDER, ORIGIN_FILE)) return undefined
  return readPrivateFile(file).trim()
}

/** Keeps the origin of the log beside its key; one that is there stays. Gives the one that is there afterwards. */
export function keepOrigin(root: string, origin: string): string {
  const file = join(openKeysFolder(root), ORIGIN_FILE)
  return createAtomically(file, `${origin}\n`, 0o600) ? origin : (readOrigin(root) ?? origin)
}
