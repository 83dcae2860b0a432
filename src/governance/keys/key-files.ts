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

/** The folder of private keys, inside the folder of local state. */
export const KEYS_FOLDER = 'keys'
const ORIGIN_FILE = 'origin'
const KEY_FILE = /\.([0-9a-f]{64})\.pem$/
const OTHERS = 0o077
const MOST_BYTES = 16_384
const LONGEST_NAME = 100

/** Returns the folder of private keys. */
export function keysFolder(root: string): string {
  return join(stateFolder(root), KEYS_FOLDER)
}

/** Returns the file with the origin of the log, next to its key. */
export function originFile(root: string): string {
  return join(keysFolder(root), ORIGIN_FILE)
}

/**
 * Lists the files of private keys by key id, without reading them.
 *
 * @throws {WaybillError} 'input-output' when the folder is unsafe or unreadable.
 */
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

/** Returns when a key file was last added or removed, in milliseconds since the epoch; undefined without a folder. */
export function keysChangedAt(root: string): number | undefined {
  return lookInState(root, KEYS_FOLDER)?.mtimeMs
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const remedy = 'only the owner of the keys may read them: run this as the user who created them'
    throw unsafe({ what: `${folder} cannot be read (${code})`, remedy })
  }
}

/** Whether this account may read the folder of private keys, if it exists. */
export function mayReadKeys(root: string): boolean {
  if (!lookInState(root, KEYS_FOLDER)?.isDirectory()) return true
  try {
    accessSync(keysFolder(root), constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns why the folder of private keys is unsafe, and what to do; undefined if it is safe or absent. */
function whyUnsafeFolder(root: string): Unsafe | undefined {
  const folder = keysFolder(root)
  const shown = relative(root, folder)
  const stats = lookInState(root, KEYS_FOLDER)
  if (!stats) return undefined
  if (!stats.isDirectory()) {
    const remedy = 'move it away: the folder of private keys has that name'
    return { what: `${shown} is not a folder`, remedy }
  }
  if ((stats.mode & OTHERS) === 0 || process.platform === 'win32') return undefined
  const mode = (stats.mode & 0o777).toString(8)
  return {
    what: `other users can access ${shown} (mode ${mode})`,
    remedy: `run chmod 700 ${shown}`,
  }
}

/** Why a private key or its folder is unsafe, and what to do. */
export interface Unsafe {
  readonly what: string
  readonly remedy: string
}

/** Returns why a private key file is unsafe, and what to do; undefined if it is safe. */
export function whyUnsafeFile(file: string): Unsafe | undefined {
  const stats = lookAt(file)
  if (!stats) return { what: `${file} does not exist`, remedy: 'name the file of a private key' }
  if (!stats.isFile()) {
    const remedy = 'put the key file itself there'
    return { what: `${file} is not a regular file`, remedy }
  }
  return whyReadable(file, stats.mode)
}

function whyReadable(file: string, mode: number): Unsafe | undefined {
  if ((mode & OTHERS) === 0 || process.platform === 'win32') return undefined
  return {
    what: `other users can access the private key ${file} (mode ${(mode & 0o777).toString(8)})`,
    remedy: `run chmod 600 ${file}; if it may have been read, revoke it`,
  }
}

/**
 * Reads a private key from a file that only its owner can access; does not follow links. Errors never quote the file.
 *
 * @throws {WaybillError} 'input-output' when the file is unsafe, unreadable or not a private key.
 */
export function readPrivateKey(file: string): KeyObject {
  const text = readPrivateFile(file)
  try {
    return process.getBuiltinModule('node:crypto').createPrivateKey(text)
  } catch {
    throw new WaybillError('input-output', `${file} does not hold a valid private key`)
  }
}

/**
 * Reads a file that only its owner can access; does not follow links.
 *
 * @throws {WaybillError} 'input-output' when the file is unsafe or unreadable.
 */
export function readPrivateFile(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw unsafe(whyUnsafeFile(file) ?? cannotRead(file, error))
  }
  try {
    // Check the opened file: the path may have been replaced.
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

/** Writes a new private key to a file that only its owner can read, and returns the file. */
export function createKeyFile(root: string, name: string, keyid: string, key: KeyObject): string {
  const folder = openKeysFolder(root)
  const file = join(folder, `${fileName(name)}.${keyid}.pem`)
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  if (createAtomically(file, pem, 0o600)) return file
  throw new WaybillError('exists', `${file} exists already`)
}

/** Returns the folder of private keys, created if missing. */
export function openKeysFolder(root: string): string {
  const folder = openStateFolder(root, KEYS_FOLDER)
  const why = whyUnsafeFolder(root)
  if (why) throw unsafe(why)
  return folder
}

/** The name is only a label; the id in the file name identifies the key. */
function fileName(name: string): string {
  return name
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\./, '_')
    .slice(0, LONGEST_NAME)
}

/** Deletes a private key. */
export function removeKeyFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError('input-output', `${file} cannot be deleted (${code})`, {
      hint: 'delete it yourself: it holds a private key that is no longer valid',
      cause,
    })
  }
}

/** Returns the origin of the log whose key was created here. */
export function readOrigin(root: string): string | undefined {
  const folder = keysFolder(root)
  const file = originFile(root)
  const why = whyUnsafeFolder(root)
  if (why) throw unsafe(why)
  // Throws the reason that the folder cannot be read.
  if (!mayReadKeys(root)) namesIn(folder)
  if (!lookInState(root, KEYS_FOLDER, ORIGIN_FILE)) return undefined
  return readPrivateFile(file).trim()
}

/** Writes the origin of the log next to its key unless one exists, and returns the kept origin. */
export function keepOrigin(root: string, origin: string): string {
  const file = join(openKeysFolder(root), ORIGIN_FILE)
  return createAtomically(file, `${origin}\n`, 0o600) ? origin : (readOrigin(root) ?? origin)
}
