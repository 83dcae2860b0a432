import { join } from 'node:path'
import { listed, majorVersion, quote, recognise } from '../contract/index.ts'
import { type Agent, agentsOf, type Lock, type Manifest, readPrompt } from '../contracts/index.ts'
import { formatInstant, type Json } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import {
  diffLocks,
  LOCKFILE_VERSION,
  type LockDiff,
  lockText,
  nextLock,
  openPromptFiles,
  type PromptFiles,
  quarantineIn,
} from '../governance/index.ts'
import { createAtomically, loadConfig, sha256, swapAtomically } from '../workspace/index.ts'
import type { ReportForPeople } from './check/report.ts'
import { doubtfulLineEnds } from './lock/line-ends.ts'
import {
  type Judging,
  judge,
  judgeManifest,
  type Opened,
  openGoverned,
  readPrompts,
} from './lock/opened.ts'
import type { LockOutput } from './lock/output.ts'
import { withOwnFiles } from './lock/own-files.ts'
import { findPlaces, isThere, PLACES, type Places } from './lock/places.ts'
import type { Refusal } from './lock/refusal.ts'
import { type Answer, answer, type Outcome } from './lock/report.ts'
import { storageOf } from './log/storage.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    check: {
      type: 'boolean',
      description: 'Write nothing, and fail if anything would change: for continuous integration.',
    },
    dryRun: { type: 'boolean', description: 'Write nothing, and say what would change.' },
    ...PLACES,
    lock: { ...PLACES.lock, makes: true },
  },
} as const

/** Pins the prompts of a manifest by the hashes of their bytes. */
export default defineOperation({
  name: 'lock',
  summary: 'Pin the prompts of the manifest by the hashes of their bytes',
  description:
    'Writes the lock that follows from the manifest and the prompt files, and says which agents changed and in what. ' +
    'Entries are sorted by canonical id; those that did not change keep their bytes, and when nothing changed nothing is ' +
    'written. A prompt with other bytes than before is to be read by somebody before anything is handed to its agent. ' +
    'Refused as a whole while anything is wrong with the manifest, or the entry of an agent in quarantine would change; ' +
    'it goes with its agent, which stays in quarantine should it come back.',
  examples: [
    { command: 'waybill lock', does: 'lock the prompts as they are' },
    { command: 'waybill lock --dry-run', does: 'say what would change' },
    { command: 'waybill lock --check', does: 'fail in continuous integration if anything would' },
    {
      command: 'waybill lock --manifest agents/prompt-manifest.json',
      does: 'name the manifest; the lock stands beside it',
    },
  ],
  // Locking a prompt is to approve it.
  actor: 'human',
  effect: 'write',
  input,
  run: async (given, app): Promise<LockOutput> =>
    lockPrompts(given, app, { quarantined: await keptOut(app) }),
  failed: ({ outcome, check }) => outcome === 'refused' || (check && outcome === 'would-write'),
})

type Input = TypeOf<typeof input>

/** What `lock` answers when people read it. */
export interface LockForPeople extends LockOutput {
  readonly documents: readonly ReportForPeople[]
}

/** The same, with the source line and the reason that people want to read beside each diagnostic. */
export async function lockForPeople(given: Input, app: App): Promise<LockForPeople> {
  return lockPrompts(given, app, { excerpts: true, quarantined: await keptOut(app) })
}

/** The agents in quarantine, as the log says. */
async function keptOut(app: App): Promise<Kept> {
  const config = await loadConfig(app.root)
  return quarantineIn(app.root, config, storageOf(app, config), app.stateHome)
}

/** Since when and why; written out, since the published types need none of the governance's. */
type Kept = Readonly<Record<string, { readonly since: string; readonly reason: string }>>

/** How prompts are locked. */
export interface Locking {
  readonly excerpts?: boolean
  /** By canonical id, the agents whose entries only `lock reconcile` may change. */
  readonly quarantined?: Kept
  /** Canonical ids of the agents whose entries may change; all when absent. */
  readonly only?: ReadonlySet<string>
}

/** Locks the prompts of a manifest, but for agents in quarantine. */
export async function lockPrompts(given: Input, app: App, how?: Locking): Promise<LockForPeople> {
  const { told, write } = await prepareLock(given, app, how)
  write?.()
  return write ? { ...told, outcome: 'written' } : told
}

/** The lock that follows from the manifest and the prompts, not yet written. */
export interface PreparedLock {
  /** Says `would-write` where there is something to write. */
  readonly told: LockForPeople
  /** By canonical id, the hash that the lock would pin. */
  hashOf(agent: string): string | undefined
  /** Writes it if nothing has changed since; absent where nothing is to be written. */
  readonly write?: () => void
}

/** Makes the lock that `lockPrompts` writes. */
export async function prepareLock(
  given: Input,
  app: App,
  { excerpts = false, quarantined = {}, only }: Locking = {},
): Promise<PreparedLock> {
  const config = await loadConfig(app.root)
  const places = findPlaces(given, config, app)
  mustBeJson(places.lock)
  const manifest = await openGoverned('prompt-manifest', places.manifest, app)
  const old = isThere(places.lock, app)
    ? await openGoverned('prompt-lock', places.lock, app)
    : undefined
  if (old) mustBeLock(old)
  const prompts = openPromptFiles(app.root)
  readPrompts(manifest, prompts, app)
  const documents = await faultyOf(manifest, old, prompts, { app, config, excerpts })
  const isChecked = given.check ?? false
  const about: Answer = { places, check: isChecked, old, documents, quarantined }
  const refuse = (why: Omit<Outcome, 'outcome'> = {}) => ({
    told: answer(about, { ...why, outcome: 'refused' }),
    hashOf: () => undefined,
  })
  if (documents.some(({ accepted }) => !accepted)) return refuse()
  const agents = agentsOf(manifest.value as unknown as Manifest)
  const mistaken = withOwnFiles(app.root, places, agents.all)
  if (mistaken.length > 0) return refuse({ refused: mistaken })
  const next = nextOf(manifest, old, prompts, { app, only })
  const diff = diffLocks(old?.value, next)
  const refused = [...newerFormat(old), ...fromQuarantine(diff, quarantined)]
  if (refused.length > 0) return refuse({ diff, refused })
  const lineEnds = doubtfulLineEnds(app.root, { diff, prompts }, { path: manifest.path, agents })
  const text = textOf(next, old)
  const after = sha256(text)
  const outcome = after === old?.sha256 ? 'unchanged' : 'would-write'
  const isToWrite = outcome === 'would-write' && !isChecked && !given.dryRun
  return {
    told: answer(about, { diff, next, after, outcome, lineEnds }),
    hashOf: agent => (next as unknown as Lock).prompts[agent]?.hash,
    ...(isToWrite && {
      write: () => write({ manifest, old, prompts, places, text }, app),
    }),
  }
}

function mustBeJson(path: string): void {
  if (!/\.(?:ya?ml|md|markdown)$/i.test(path)) return
  throw new WaybillError('usage', `${path} is not JSON, and a lock is written as JSON`, {
    hint: 'name another file with --lock; waybill lock verify reads YAML too',
  })
}

/** What is wrong in a lock is put right; a file that never was one, such as a manifest, is not made one. */
function mustBeLock(old: Opened): void {
  const { path, value, recognised } = old
  const isBlank = !isReadable(old) || Object.keys(value as object).length === 0
  if (isBlank || recognise(value, path, [recognised.contract], 'walk')) return
  throw new WaybillError('usage', `${path} is no lock, and is not made one`, {
    hint: 'name another file with --lock; one that is not there yet is made',
  })
}

/** The manifest by all its rules; the lock only where it cannot be read, since whatever else is wrong is put right. */
async function faultyOf(
  manifest: Opened,
  old: Opened | undefined,
  prompts: PromptFiles,
  judging: Judging,
): Promise<ReportForPeople[]> {
  const { report } = await judgeManifest(manifest, { files: { value: prompts } }, judging)
  const reports = [report]
  if (old && !isReadable(old)) reports.push(await judge(old, {}, judging))
  return reports
}

function isReadable({ document, value }: Opened): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return document.faults.length === 0 && isObject
}

function nextOf(
  { path, value }: Opened,
  old: Opened | undefined,
  prompts: PromptFiles,
  { app, only }: { readonly app: App; readonly only: Locking['only'] | undefined },
): Json {
  // Its structure and its prompts have been checked.
  const manifest = value as unknown as Manifest & { readonly version: string }
  const hashOf = (agent: Agent): string => {
    const prompt = readPrompt(path, agent.file, prompts)
    if ('fault' in prompt) throw changedMeanwhile([agent.file])
    return prompt.hash
  }
  return nextLock({
    old: old?.value,
    agents: agentsOf(manifest).all,
    manifest: { path, version: manifest.version },
    hashOf,
    now: formatInstant(app.now),
    ...(only && { only }),
  })
}

function textOf(next: Json, old: Opened | undefined): string {
  if (!old) return lockText(next)
  const { text, locate } = old.document
  return `${old.marked ? '\ufeff' : ''}${lockText(next, { text, value: old.value, locate })}`
}

function newerFormat(old: Opened | undefined): Refusal[] {
  const version = (old?.value as { lockfileVersion?: unknown } | undefined)?.lockfileVersion
  const major = version === undefined ? undefined : Number(majorVersion(String(version)))
  if (major === undefined || !(major > LOCKFILE_VERSION)) return []
  return [
    {
      code: 'lock/newer-format',
      agent: null,
      message: `the lock has the format ${quote(version)}, and this version of Waybill writes ${LOCKFILE_VERSION}`,
      hint: 'use the version of Waybill that wrote it, or a later one',
    },
  ]
}

/** An entry may go with its agent: the quarantine stays in the log, so that it cannot come back with another hash. */
function fromQuarantine(diff: LockDiff, quarantined: Kept): Refusal[] {
  const touched = [...diff.added, ...diff.changed].map(({ id }) => id)
  return touched
    .filter(id => Object.hasOwn(quarantined, id))
    .sort()
    .map(id => ({
      code: 'lock/quarantined',
      agent: id,
      message: `${quote(id)} is in quarantine, and its entry would change`,
      hint: `let a person look at its prompt: waybill lock reconcile ${id}`,
    }))
}

interface Writing {
  readonly manifest: Opened
  readonly old: Opened | undefined
  readonly prompts: PromptFiles
  readonly places: Places
  readonly text: string
}

function write({ manifest, old, prompts, places, text }: Writing, app: App): void {
  const changed = [
    ...(prompts.sha256(manifest.path) === manifest.sha256 ? [] : [manifest.path]),
    ...prompts.changed(),
  ]
  if (changed.length > 0) throw changedMeanwhile(changed)
  const file = join(app.root, places.lock)
  if (old) swapAtomically(app.root, file, old.sha256, text)
  else if (!createAtomically(file, text)) throw changedMeanwhile([places.lock])
}

const MOST_NAMED = 5

function changedMeanwhile(paths: readonly string[]): WaybillError {
  const more = paths.length > MOST_NAMED ? [`${paths.length - MOST_NAMED} more`] : []
  const names = listed([...paths.slice(0, MOST_NAMED), ...more])
  return new WaybillError('conflict', `changed while the prompts were being locked: ${names}`, {
    hint: 'nothing was written; look at it and try again',
  })
}
