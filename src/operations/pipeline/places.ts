import { join, relative, sep } from 'node:path'
import { quote } from '../../contract/index.ts'
import { foldedPath, whyNotRelative, whyReserved } from '../../contracts/index.ts'
import { CONFIG_FILE, type Config, loadConfig, realPath, sha256 } from '../../workspace/index.ts'
import { BASELINE_FILE } from '../check/baseline.ts'
import { openFacts } from '../check/facts.ts'
import { checkSource } from '../check/file.ts'
import { kindThere } from '../new/place.ts'
import type { App } from '../operation.ts'
import { standsAlone } from './alone.ts'
import { isAnswer, isCommitted } from './answers.ts'
import { bytesAt, MARKDOWN, whyNoFile } from './contexts.ts'

/** The files that an agent of an orchestration reads and writes, from the root. */
export interface Places {
  readonly input: string | null
  readonly output: string | null
  readonly artifact: string | null
}

const RESERVED = 'orchestration/no-reserved-paths'

/** Why an agent may not use a path. */
export interface Misplaced {
  readonly code: typeof RESERVED | 'pipeline/reserved-place'
  readonly message: string
}

/** Says why a path of an agent is reserved for something else; `undefined` when all are free. */
export async function whyMisplaced(
  { input, output, artifact }: Places,
  orchestration: string,
  { root }: App,
): Promise<Misplaced | undefined> {
  for (const path of [input, output, artifact]) {
    if (path === null) continue
    const why = whyNotRelative(path) ?? whyReserved(path) ?? whyReserved(realPlace(path, root))
    if (why !== undefined) return { code: RESERVED, message: `${quote(path)} ${why}` }
  }
  if (output === null) return undefined
  const why = whoseOf(
    realPlace(output, root),
    othersIn(await loadConfig(root), orchestration, root),
  )
  return why === undefined
    ? undefined
    : { code: 'pipeline/reserved-place', message: `${quote(output)} ${why}` }
}

type Others = readonly (readonly [path: string, what: string])[]

/** Paths that configure Waybill here; compared without case, as some file systems do. */
function othersIn(
  { agents, policies, witnesses, missions }: Config,
  orchestration: string,
  root: string,
): Others {
  const named = [
    [CONFIG_FILE, 'the configuration'],
    [BASELINE_FILE, 'the baseline'],
    [orchestration, 'the orchestration file itself'],
    [agents?.manifest, 'the manifest of the agents'],
    [agents?.lock, 'the lock of their prompts'],
    [witnesses, 'the policy of witnesses'],
    [policies, 'the folder of the policies'],
    [missions?.templates ?? 'missions/templates', 'the folder of the mission templates'],
  ] as const
  return named.flatMap(([path, what]) =>
    path === undefined ? [] : [[realPlace(path, root), what]],
  )
}

function whoseOf(path: string, others: Others): string | undefined {
  const found = others.find(
    ([other]) => other === '' || path === other || path.startsWith(`${other}/`),
  )
  return found && `is ${found[1]}`
}

/** Resolves links as far as the path exists, and folds case. */
function realPlace(path: string, root: string): string {
  return foldedPath(
    relative(realPath(root), realPath(join(root, path)))
      .split(sep)
      .join('/'),
  )
}

/** Says why an output file of an agent cannot be written, before the agent starts; `undefined` when it can. */
export async function whyOccupied(path: string, app: App): Promise<string | undefined> {
  const found = await replacedAt(path, app)
  return 'why' in found ? found.why : undefined
}

/**
 * Returns the digest of the file that a session context may replace: a recorded answer of an agent, or a lone context
 * that is committed unchanged.
 */
export async function replacedAt(
  path: string,
  app: App,
): Promise<Kept | { readonly replaced: string | undefined }> {
  const found = await foundAt(path, app)
  if (found === undefined) return { replaced: undefined }
  if ('why' in found) return found
  const { bytes, contexts } = found
  const holds = `${quote(path)} holds`
  const replaced = sha256(bytes)
  const isKnown = isAnswer(path, replaced, app)
  // An agent may have formatted it differently; anything that a person added would be lost.
  if (contexts.length !== 1 || !(isKnown || (await standsAlone(bytes, MARKDOWN.test(path)))))
    return { why: `${holds} something other than a session context written by an agent` }
  if (isKnown || isCommitted(path, replaced, app)) return { replaced }
  const remedy = 'move it away, or commit it unchanged'
  return {
    why: `${holds} a session context that a person may have written: ${remedy}`,
    isContext: true,
  }
}

/** Why a file is not replaced, and whether an agent may still have written it. */
interface Kept {
  readonly why: string
  readonly isContext?: boolean
}

interface Found {
  readonly bytes: Uint8Array
  /** Its session contexts, valid or not. */
  readonly contexts: readonly unknown[]
}

async function foundAt(
  path: string,
  app: App,
): Promise<Found | { readonly why: string } | undefined> {
  const kind = kindThere(path, app.root)
  if (kind === 'missing') return undefined
  if (kind === 'else') return { why: `${quote(path)} is not a file, or is a broken link` }
  const why = whyNoFile(path, app)
  if (why !== undefined) return { why }
  const bytes = bytesAt(path, app)
  if (bytes === undefined) return undefined
  if (typeof bytes === 'string') return { why: bytes }
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: true,
    excerpts: false,
    severities: new Map(),
  }
  const source = { file: join(app.root, path), path, named: false, bytes }
  const { documents } = await checkSource(source, settings, openFacts(app, {}))
  const contexts = documents.filter(({ report }) => report.contract === 'session-context')
  return { bytes, contexts: contexts.map(({ value }) => value) }
}
