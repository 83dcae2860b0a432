import { statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { counted, quote } from '../../contract/index.ts'
import { normalPath, whyNotRelative } from '../../contracts/index.ts'
import { decode, MOST_BYTES, maskedPointer } from '../../document/index.ts'
import { secretsIn } from '../../mission/index.ts'
import {
  createAtomically,
  loadConfig,
  openFiles,
  readOwnFile,
  sha256,
  swapAtomically,
} from '../../workspace/index.ts'
import { openFacts } from '../check/facts.ts'
import { checkSource } from '../check/file.ts'
import { severitiesIn } from '../check/severities.ts'
import { makeFolders } from '../new/place.ts'
import type { App } from '../operation.ts'

/** Names of files in which a context stands in a block. */
export const MARKDOWN = /\.(?:md|markdown)$/i

/** Why a session context cannot be taken, as an agent is told. */
export interface ContextFault {
  readonly code: string
  readonly path: string
  readonly message: string
  readonly hint: string
}

/** A session context that was checked with all rules, or what is wrong with it. */
export type ReadContext =
  | { readonly sha256: string; readonly value: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly ContextFault[] }

/** Where an agent writes what an orchestration file states: from the root, whatever stands beside the file. */
export function placeOf(path: string): string {
  return whyNotRelative(path) === undefined ? (normalPath(path) ?? path) : path
}

/** Where an input leads that an orchestration file states: from the root, or beside the file where only that is there. */
export function placeIn(path: string, orchestration: string, { root }: App): string {
  const whole = placeOf(path)
  if (whyNotRelative(whole) !== undefined) return whole
  const files = openFiles(root)
  if (files.kindOf(whole) === 'file') return whole
  const beside = normalPath(posix.join(posix.dirname(orchestration), path)) ?? whole
  return files.kindOf(beside) === 'file' ? beside : whole
}

/** Why a file of an orchestration cannot be used; nothing where it can. */
export function whyNoFile(path: string, { root }: App): string | undefined {
  const wrong = whyNotRelative(path)
  if (wrong) return `${quote(path)} ${wrong}`
  switch (openFiles(root).kindOf(path)) {
    case 'file':
      return undefined
    case 'outside':
      return `${quote(path)} leads out of the repository`
    case 'directory':
      return `${quote(path)} is a folder`
    default:
      return `${quote(path)} is not there`
  }
}

/** The bytes of a file of an orchestration; nothing where it went away. */
export function bytesAt(path: string, { root }: App): Uint8Array | string | undefined {
  try {
    return readOwnFile(join(root, path), MOST_BYTES)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    return `${quote(path)} cannot be read: ${code ?? message}`
  }
}

/** Reads and checks the session context that stands in a file. */
export async function readContext(path: string, app: App): Promise<ReadContext> {
  const why = whyNoFile(path, app)
  const bytes = why === undefined ? bytesAt(path, app) : undefined
  if (typeof bytes === 'string') return { faults: [fault('document/unreadable', bytes)] }
  if (!bytes)
    return { faults: [fault('pipeline/outputs-exist', why ?? `${quote(path)} is not there`)] }
  return checkContext(bytes, path, app)
}

/** Checks bytes as the session context that stands, or is to stand, in a file. */
export async function checkContext(
  bytes: Uint8Array,
  path: string,
  app: App,
): Promise<ReadContext> {
  const config = await loadConfig(app.root)
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: false,
    excerpts: false,
    severities: await severitiesIn(config),
    // Markdown may hold other documents beside it.
    ...(!MARKDOWN.test(path) && { contract: 'session-context.v1' }),
  }
  const source = { file: join(app.root, path), path, named: true, bytes }
  const { documents } = await checkSource(source, settings, openFacts(app, config))
  const contexts = documents.filter(({ report }) => report.contract === 'session-context')
  const errors = (contexts.length > 0 ? contexts : documents).flatMap(({ report }) =>
    report.diagnostics.filter(({ severity }) => severity === 'error'),
  )
  const faults = errors.map(({ code, path: at, message, hint }) => ({
    code,
    path: at,
    message,
    hint: hint ?? `waybill explain ${code}`,
  }))
  const [context] = contexts
  faults.push(...credentials(bytes, context?.value))
  if (faults.length > 0) return { faults }
  if (!context || contexts.length > 1) {
    const message = `${path} holds ${counted(contexts.length, 'session context')}, and has to hold one`
    return { faults: [fault('document/unrecognised', message)] }
  }
  return { sha256: sha256(bytes), value: bare(context.value) }
}

/** Credentials anywhere in the file: it is given to the agents that come after, and perhaps committed. */
function credentials(bytes: Uint8Array, value: unknown): ContextFault[] {
  const hint = 'leave it out and name the place where it is kept: other agents are given this file'
  return secretsIn({ text: decode(bytes).text, value }).map(({ code, path, message }) => ({
    code,
    path: maskedPointer(path),
    message,
    hint,
  }))
}

function fault(code: string, message: string): ContextFault {
  const hint = 'waybill explain session-context shows what one looks like'
  return { code, path: '', message, hint }
}

/** What stands in it, whether it is wrapped or not. */
function bare(value: unknown): Readonly<Record<string, unknown>> {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>
  const { session_context: inner } = fields
  return typeof inner === 'object' && inner !== null
    ? (inner as Readonly<Record<string, unknown>>)
    : fields
}

/** The text of a session context as it is written into a file. */
export function textOfContext(value: unknown, path: string): string {
  const json = JSON.stringify(value, null, 2)
  return MARKDOWN.test(path) ? `# Session context\n\n\`\`\`json\n${json}\n\`\`\`\n` : `${json}\n`
}

/** Writes a session context where nothing stands, or over the bytes that had a digest; gives whether it did. */
export function writeOutput(
  path: string,
  text: string,
  replaced: string | undefined,
  { root }: App,
): boolean {
  makeFolders(posix.dirname(path), root)
  const file = join(root, path)
  if (replaced === undefined) return createAtomically(file, text)
  swapAtomically(root, file, replaced, text)
  return true
}

/** What tells a file from one that was written after it; nothing where there is none to be had. */
export function versionAt(path: string, { root }: App): string | undefined {
  try {
    const stats = statSync(join(root, path), { bigint: true })
    return `${stats.ino} ${stats.mtimeNs} ${stats.size}`
  } catch {
    return undefined
  }
}
