import { readdirSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { handoffFileNameOf } from '../../contracts/index.ts'
import { decode } from '../../document/index.ts'
import { type Config, readOwnFile, walk } from '../../workspace/index.ts'
import { findSources } from '../check/sources.ts'
import type { App } from '../operation.ts'

/** Names of files that may hold a handoff, at any depth. */
const NEAR =
  /hand[-_. ]?(?:off|over)|takeover|session[-_. ]?(?:notes?|summary|log|end|report)|wrap[-_. ]?up|next[-_. ]?steps|where[-_. ]we[-_. ]are|(?:continue|resume)[-_. ]?here/i
const FOLDER = /(?:^|\/)hand-?(?:offs?|overs?)\//i
const OTHER = /^(?:readme|index|changelog|.*template.*)\.[a-z]+$/i

/** A file to adopt. */
export interface Candidate {
  /** Absolute. */
  readonly file: string
  /** From the root. */
  readonly path: string
  /** The user named it. */
  readonly named: boolean
}

/** Lists the named files, and the Markdown files with a near name in named folders; by default in the repository. */
export async function findCandidates(
  paths: readonly string[],
  config: Config,
  app: App,
): Promise<Candidate[]> {
  if (paths.length > 0) {
    const sources = await findSources({ paths }, config, app)
    return sources.filter(({ path, named }) => named || isNear(path))
  }
  return walk(app.root, app.root, { ignore: config.ignore })
    .files.map(file => ({
      file,
      path: relative(app.root, file).split(sep).join('/'),
      named: false,
    }))
    .filter(({ path }) => isNear(path))
}

function isNear(path: string): boolean {
  const name = handoffFileNameOf(path)
  if (!/\.(?:md|markdown)$/i.test(name) || OTHER.test(name)) return false
  return NEAR.test(name) || FOLDER.test(path)
}

const MOST_BYTES = 8 * 1024 * 1024
const ADOPTED_FROM = /^adopted_from: ["']?([^"'\r\n]+)/m

/** Finds the note that was made of a file before: one next to the new path that names the file. */
export function adoptedBefore(original: string, target: string, root: string): string | undefined {
  const folder = posix.dirname(target)
  const stamp = handoffFileNameOf(target).slice(0, '2026-02-11T14-30-00Z'.length)
  return namesIn(join(root, folder))
    .filter(name => name.startsWith(stamp))
    .map(name => posix.join(folder, name))
    .find(path => {
      try {
        const bytes = readOwnFile(join(root, path), MOST_BYTES)
        const [, from] = ADOPTED_FROM.exec(decode(bytes ?? new Uint8Array()).text) ?? []
        return from === original
      } catch {
        return false
      }
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
