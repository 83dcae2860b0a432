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

/** File names whose session context is in a code block. */
export const MARKDOWN = /\.(?:md|markdown)$/i

/** Why a session context is refused; shown to the agent. */
export interface ContextFault {
  readonly code: string
  readonly path: string
  readonly message: string
  readonly hint: string
}

/** A session context that passed all rules, or its errors. */
export type ReadContext =
  | { readonly sha256: string; readonly value: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly ContextFault[] }

/** Returns where an agent writes a file of an orchestration: always relative to the root. */
export function placeOf(path: string): string {
  return whyNotRelative(path) === undefined ? (normalPath(path) ?? path) : path
}

/** Returns where an input of an orchestration is: relative to the root, or to the file when it exists only there. */
export function placeIn(path: string, orchestration: string, { root }: App): string {
  const whole = placeOf(path)
  if (whyNotRelative(whole) !== undefined) return whole
  const files = openFiles(root)
  if (files.kindOf(whole) === 'file') return whole
  const sibling = normalPath(posix.join(posix.dirname(orchestration), path)) ?? whole
  return files.kindOf(sibling) === 'file' ? sibling : whole
}

/** Says why a file of an orchestration cannot be used; `undefined` when it can. */
export function whyNoFile(path: string, { root }: App): string | undefined {
  const wrong = whyNotRelative(path)
  if (wrong) return `${quote(path)} ${wrong}`
  switch (openFiles(root).kindOf(path)) {
    case 'file':
      return undefined
    case 'outside':
      return `${quote(path)} leaves the repository`
    case 'directory':
      return `${quote(path)} is a folder`
    default:
      return `${quote(path)} does not exist`
  }
}

/** Reads a file of an orchestration; returns an error as text, or `undefined` when the file is gone. */
export function bytesAt(path: string, { root }: App): Uint8Array | string | undefined {
  try {
    return readOwnFile(join(root, path), MOST_BYTES)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    return `${quote(path)} cannot be read: ${code ?? message}`
  }
}

/** Reads and checks the session context in a file. */
export async function readContext(path: string, app: App): Promise<ReadContext> {
  const why = whyNoFile(path, app)
  const bytes = why === undefined ? bytesAt(path, app) : undefined
  if (typeof bytes === 'string') return { faults: [fault('document/unreadable', bytes)] }
  if (!bytes)
    return { faults: [fault('pipeline/outputs-exist', why ?? `${quote(path)} does not exist`)] }
  return checkContext(bytes, path, app)
}

/** Checks bytes as the session context of a file. */
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
    // Markdown may contain other documents too.
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
    const message = `${path} has ${counted(contexts.length, 'session context')}, but must have exactly one`
    return { faults: [fault('document/unrecognised', message)] }
  }
  return { sha256: sha256(bytes), value: bare(context.value) }
}

/** Finds credentials anywhere in the file: later agents read it, and it may be committed. */
function credentials(bytes: Uint8Array, value: unknown): ContextFault[] {
  const hint = 'remove it and name where it is kept: other agents receive this file'
  return secretsIn({ text: decode(bytes).text, value }).map(({ code, path, message }) => ({
    code,
    path: maskedPointer(path),
    message,
    hint,
  }))
}

function fault(code: string, message: string): ContextFault {
  const hint = 'see waybill explain session-context for an example'
  return { code, path: '', message, hint }
}

/** Returns the context without its wrapper. */
function bare(value: unknown): Readonly<Record<string, unknown>> {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>
  const { session_context: inner } = fields
  return typeof inner === 'object' && inner !== null
    ? (inner as Readonly<Record<string, unknown>>)
    : fields
}

/** Returns the file text of a session context. */
export function textOfContext(value: unknown, path: string): string {
  const json = JSON.stringify(value, null, 2)
  return MARKDOWN.test(path) ? `# Session context\n\n\`\`\`json\n${json}\n\`\`\`\n` : `${json}\n`
}

/** Writes a session context to a new file, or over bytes with the given digest; returns whether it did. */
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

/** Returns a value that changes when the file is rewritten; `undefined` when there is no file. */
export function versionAt(path: string, { root }: App): string | undefined {
  try {
    const stats = statSync(join(root, path), { bigint: true })
    return `${stats.ino} ${stats.mtimeNs} ${stats.size}`
  } catch {
    return undefined
  }
}
