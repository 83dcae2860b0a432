import { join } from 'node:path'
import { quote } from '../../contract/index.ts'
import { foldedPath, whyReserved } from '../../contracts/index.ts'
import { MOST_BYTES } from '../../document/index.ts'
import {
  CONFIG_FILE,
  type Config,
  loadConfig,
  openFiles,
  readOwnFile,
} from '../../workspace/index.ts'
import { BASELINE_FILE } from '../check/baseline.ts'
import { openFacts } from '../check/facts.ts'
import { checkSource } from '../check/file.ts'
import type { App } from '../operation.ts'
import { bare, textOfContext, whyNoFile } from './contexts.ts'

/** What an agent of an orchestration file reads and writes, from the root. */
export interface Places {
  readonly input: string | null
  readonly output: string | null
  readonly artifact: string | null
}

/** Why a place of an agent is nobody's context: something else is to stand there. Nothing where all may be used. */
export async function whyMisplaced(
  { input, output, artifact }: Places,
  orchestration: string,
  { root }: App,
): Promise<string | undefined> {
  for (const path of [input, output, artifact]) {
    const why = path === null ? undefined : whyReserved(path)
    if (why !== undefined) return `${quote(path)} ${why}`
  }
  if (output === null) return undefined
  const why = whoseOf(output, othersIn(await loadConfig(root), orchestration))
  return why && `${quote(output)} ${why}`
}

type Others = readonly (readonly [path: string, what: string])[]

/** What decides how Waybill works here; case does not tell two of them apart everywhere. */
function othersIn(
  { agents, policies, witnesses, missions }: Config,
  orchestration: string,
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
  return named.flatMap(([path, what]) => (path === undefined ? [] : [[foldedPath(path), what]]))
}

function whoseOf(path: string, others: Others): string | undefined {
  const folded = foldedPath(path)
  const found = others.find(([other]) => folded === other || folded.startsWith(`${other}/`))
  return found && `is ${found[1]}`
}

/** Why a session context is not written into a place: what stands there is something else. Nothing where it may be. */
export async function whyNotReplaced(path: string, app: App): Promise<string | undefined> {
  const kind = openFiles(app.root).kindOf(path)
  if (kind === 'missing') return undefined
  if (kind !== 'file') return whyNoFile(path, app)
  const bytes = readOwnFile(join(app.root, path), MOST_BYTES)
  if (!bytes || (await isContext(bytes, path, app))) return undefined
  return `${quote(path)} holds something else than a session context`
}

/** Whether nothing but a session context is lost with a file, however faulty it is; in Markdown more may stand beside it. */
async function isContext(bytes: Uint8Array, path: string, app: App): Promise<boolean> {
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: true,
    excerpts: false,
    severities: new Map(),
  }
  const source = { file: join(app.root, path), path, named: false, bytes }
  const { documents } = await checkSource(source, settings, openFacts(app, {}))
  const [first] = documents
  if (documents.length !== 1 || first?.report.contract !== 'session-context') return false
  const isProse = /\.md$/i.test(path)
  return !isProse || textOfContext(bare(first.value), path) === new TextDecoder().decode(bytes)
}
