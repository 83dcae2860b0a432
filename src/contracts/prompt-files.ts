import { type Files, hashAt, inOtherForm, kindAt, quote } from '../contract/index.ts'
import { isPlainPath, normalPath, whyNotRelative } from './paths.ts'

/** A prompt file with its hash, or why it has none; `leadsOut` if it is outside the repository. */
export type Prompt =
  | { readonly path: string; readonly hash: string }
  | { readonly path?: string; readonly fault: string; readonly leadsOut: boolean }

/** The path relative to the root of a file that is named relative to the manifest's folder. */
function promptPath(manifestPath: string, file: string): { path: string } | { fault: string } {
  const folder = manifestPath.slice(0, manifestPath.lastIndexOf('/') + 1)
  if (isPlainPath(file) && isPlainPath(folder + file)) return { path: folder + file }
  // `..` counts from the manifest's folder; check everything else on the path alone.
  const ahead = file.split(/[\\/]/).filter(part => part !== '..')
  const why = whyNotRelative(ahead.join('/'))
  if (why !== undefined) return { fault: why }
  const path = normalPath(folder + file)
  if (path === undefined) return { fault: 'is outside the repository' }
  const part = path.split('/').find(name => UNCOMMITTED.test(name))
  return part === undefined ? { path } : { fault: `is in ${part}, which is never committed` }
}

/** Folders that are never committed, so that no prompt can be in them. */
const UNCOMMITTED = /^\.(?:git|waybill)$/i

/** Whether a manifest and its lock name the same prompt file, in any spelling. */
export function isSameFile(
  manifestPath: string,
  one: string,
  other: string,
  files?: Files,
): boolean {
  if (one === other) return true
  const path = fileOf(manifestPath, one, files)
  return path !== undefined && path === fileOf(manifestPath, other, files)
}

/** The path of an agent's prompt file relative to the root; `undefined` if it is outside. */
export function fileOf(manifestPath: string, file: string, files?: Files): string | undefined {
  const found = promptPath(manifestPath, file)
  if ('fault' in found) return undefined
  return (files && pathFromRoot(manifestPath, file, found.path, files)) ?? found.path
}

/** The path of a file that is not where the manifest's folder puts it, but where the root does. */
function pathFromRoot(
  manifestPath: string,
  file: string,
  path: string,
  files: Files,
): string | undefined {
  if (!manifestPath.includes('/') || kindAt(files, path) !== 'missing') return undefined
  const other = promptPath('', file)
  return 'path' in other && kindAt(files, other.path) === 'file' ? other.path : undefined
}

const FAULTS = {
  missing: 'does not exist as a file',
  directory: 'is a folder',
  outside: 'is outside the repository',
  file: 'cannot be read',
} as const

/** Reads and hashes a prompt file. */
export function readPrompt(manifestPath: string, file: string, files: Files): Prompt {
  const found = promptPath(manifestPath, file)
  if ('fault' in found) return { ...found, leadsOut: true }
  const path = pathFromRoot(manifestPath, file, found.path, files) ?? found.path
  const hash = hashAt(files, path)
  if (hash !== undefined) return { path, hash }
  const kind = kindAt(files, path)
  const other = promptPath('', file)
  const nor = kind === 'missing' && 'path' in other && other.path !== path
  const said = nor ? `${FAULTS.missing}, and neither does ${quote(other.path)}` : FAULTS[kind]
  const form = [path, ...(nor ? [other.path] : [])].map(p => inOtherForm(files, p)).find(Boolean)
  const fault = kind === 'missing' ? `${said}${form ?? ''}` : said
  return { path, fault, leadsOut: kind === 'outside' }
}
