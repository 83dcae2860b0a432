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

/** What an agent of an orchestration file reads and writes, from the root. */
export interface Places {
  readonly input: string | null
  readonly output: string | null
  readonly artifact: string | null
}

const RESERVED = 'orchestration/no-reserved-paths'

/** Why an agent may not use a place: its code and what is there. */
export interface Misplaced {
  readonly code: typeof RESERVED | 'pipeline/reserved-place'
  readonly message: string
}

/** Why a place of an agent is nobody's context: something else is to stand there. Nothing where all may be used. */
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

/** What decides how Waybill works here; case does not tell two of them apart everywhere. */
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
    [policies, 'where policies stand'],
    [missions?.templates ?? 'missions/templates', 'where templates of missions stand'],
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

/** Where a path leads from the real root: links are followed as far as there is anything, and case is folded. */
function realPlace(path: string, root: string): string {
  return foldedPath(
    relative(realPath(root), realPath(join(root, path)))
      .split(sep)
      .join('/'),
  )
}

/** Why a file of the session context of an agent is none, before the agent begins; nothing where it may be one. */
export async function whyOccupied(path: string, app: App): Promise<string | undefined> {
  const found = await replacedAt(path, app)
  return 'why' in found ? found.why : undefined
}

/**
 * The digest of what a session context is written over: another one that is known to be an agent's, or that stands alone
 * and is committed as it is.
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
  // An agent may have written it in a form of its own; what a person has added would be lost with it.
  if (contexts.length !== 1 || !(isKnown || (await standsAlone(bytes, MARKDOWN.test(path)))))
    return { why: `${holds} something else than a session context that was written for an agent` }
  if (isKnown || isCommitted(path, replaced, app)) return { replaced }
  const remedy = 'move it away, or commit it as it is'
  return {
    why: `${holds} a session context that may be a person's own: ${remedy}`,
    isContext: true,
  }
}

/** Why what stands in a place is not written over, and whether an agent may have written it all the same. */
interface Kept {
  readonly why: string
  readonly isContext?: boolean
}

interface Found {
  readonly bytes: Uint8Array
  /** The session contexts in it, however faulty they are. */
  readonly contexts: readonly unknown[]
}

async function foundAt(
  path: string,
  app: App,
): Promise<Found | { readonly why: string } | undefined> {
  const kind = kindThere(path, app.root)
  if (kind === 'missing') return undefined
  if (kind === 'else') return { why: `${quote(path)} is no file, or a link that leads nowhere` }
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
