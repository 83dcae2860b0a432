import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Decoded, decode, formatOf, MOST_BYTES, tooLarge } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type EnvelopeText, type ReadHandoff, readHandoff } from '../../governance/index.ts'
import { cannotRead, readOwnFile, sha256 } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** A document read for a gateway. */
export interface GatewaySource {
  /** The one handoff in it; undefined if there is none, or several. */
  readonly read: ReadHandoff | undefined
  /** Hex SHA-256 of its bytes, or of the first ones if it is too large. */
  readonly bytes: string
  /** Absolute; absent for standard input. */
  readonly file?: string
}

/** Number of bytes hashed of a document that is too large. */
const HEAD = 65_536

/** Reads a document from a file or, for `-`, from standard input, unless it is too large. */
export async function readSource(path: string, app: App): Promise<GatewaySource> {
  if (path === '-') {
    const bytes = await app.stdin()
    const digest = sha256(bytes.length > MOST_BYTES ? bytes.subarray(0, HEAD) : bytes)
    return { ...(await sourceFrom(decode(bytes), '')), bytes: digest }
  }
  const file = resolve(app.cwd, path)
  const { decoded, digest } = readFile(file, path)
  return { ...(await sourceFrom(decoded, file)), bytes: digest, file }
}

async function sourceFrom(decoded: Decoded, name: string): Promise<Pick<GatewaySource, 'read'>> {
  return { read: await readHandoff(decoded, formatOf(name, decoded.text, ['json', 'yaml'])) }
}

function readFile(file: string, shown: string): { decoded: Decoded; digest: string } {
  const descriptor = open(file, shown)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw cannotRead(shown, new Error('it is not a regular file'))
    if (stats.size > MOST_BYTES) {
      const head = new Uint8Array(HEAD)
      const bytes = head.subarray(0, readSync(descriptor, head))
      return { decoded: tooLarge(bytes, stats.size), digest: sha256(bytes) }
    }
    const bytes = readFileSync(descriptor)
    return { decoded: decode(bytes), digest: sha256(bytes) }
  } finally {
    closeSync(descriptor)
  }
}

function open(file: string, shown: string): number {
  try {
    // O_NONBLOCK: opening a pipe would wait for a writer.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new WaybillError('not-found', `${shown} does not exist`, { cause })
    throw cannotRead(shown, cause)
  }
}

/** Limit in bytes: an envelope has only digests and signatures. */
const LONGEST_ENVELOPE = 65_536

/** Reads the named envelope, or the one next to a document; undefined if there is none. */
export function readEnvelope(
  named: string | undefined,
  file: string | undefined,
  { cwd }: App,
): EnvelopeText | undefined {
  const place = named === undefined ? file && envelopeOf(file) : resolve(cwd, named)
  if (place === undefined) return undefined
  let bytes: Uint8Array | undefined
  try {
    const size = statSync(place, { throwIfNoEntry: false })?.size ?? 0
    if (size > LONGEST_ENVELOPE) return { bytes: size }
    bytes = readOwnFile(place, LONGEST_ENVELOPE)
  } catch (cause) {
    throw cannotRead(`the envelope ${place}`, cause)
  }
  if (!bytes && named !== undefined)
    throw new WaybillError('not-found', `the envelope ${named} does not exist`)
  // Keep a byte order mark: it makes the envelope malformed.
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Returns the envelope path of a document: `a/b.dsse.json` for `a/b.json`. */
function envelopeOf(file: string): string {
  const name = file.slice(dirname(file).length + 1).replace(/\.[^.]*$/, '')
  return join(dirname(file), `${name}.dsse.json`)
}
