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
      description: 'Write nothing, and fail if anything would change (for CI).',
    },
    dryRun: { type: 'boolean', description: 'Show what would change, without writing.' },
    ...PLACES,
    lock: { ...PLACES.lock, makes: true },
  },
} as const

/** Locks the prompts of a manifest by their hashes. */
export default defineOperation({
  name: 'lock',
  summary: 'Lock the prompts of the manifest by their hashes',
  description:
    'Writes the lock for the manifest and its prompt files, and prints which agents changed and how. Entries are ' +
    'sorted by canonical id; unchanged ones keep their bytes. Writes nothing if nothing changed. A changed prompt ' +
    'needs review before its agent receives handoffs. Refuses while the manifest has errors, or if the entry of an ' +
    'agent in quarantine would change; the entry of a removed agent goes, its quarantine stays. Exits with 1 when ' +
    'refused, or with --check if anything would change.',
  examples: [
    { command: 'waybill lock', does: 'lock the current prompts' },
    { command: 'waybill lock --dry-run', does: 'show what would change' },
    { command: 'waybill lock --check', does: 'fail in CI if anything would change' },
    {
      command: 'waybill lock --manifest agents/prompt-manifest.json',
      does: 'name the manifest; the lock is next to it',
    },
  ],
  // Locking a prompt approves it.
  actor: 'human',
  effect: 'write',
  input,
  run: async (given, app): Promise<LockOutput> =>
    lockPrompts(given, app, { quarantined: await keptOut(app) }),
  failed: ({ outcome, check }) => outcome === 'refused' || (check && outcome === 'would-write'),
})

type Input = TypeOf<typeof input>

/** The output of `lock`, with details for text output. */
export interface LockForPeople extends LockOutput {
  readonly documents: readonly ReportForPeople[]
}

/** Runs the same and adds the source line and the reason of each diagnostic, for text output. */
export async function lockForPeople(given: Input, app: App): Promise<LockForPeople> {
  return lockPrompts(given, app, { excerpts: true, quarantined: await keptOut(app) })
}

/** Returns the agents in quarantine. */
async function keptOut(app: App): Promise<Kept> {
  const config = await loadConfig(app.root)
  return quarantineIn(app.root, config, storageOf(app, config), app.stateHome)
}

/** Time and reason by agent; spelled out, so that published types do not depend on governance. */
type Kept = Readonly<Record<string, { readonly since: string; readonly reason: string }>>

/** Options for locking. */
export interface Locking {
  readonly excerpts?: boolean
  /** Agents in quarantine by canonical id: only `lock reconcile` may change their entries. */
  readonly quarantined?: Kept
  /** Canonical ids of the agents whose entries may change; all if undefined. */
  readonly only?: ReadonlySet<string>
}

/** Locks the prompts of a manifest, except those of agents in quarantine. */
export async function lockPrompts(given: Input, app: App, how?: Locking): Promise<LockForPeople> {
  const { output, write } = await prepareLock(given, app, how)
  write?.()
  return write ? { ...output, outcome: 'written' } : output
}

/** A lock that is computed but not written. */
export interface PreparedLock {
  /** The outcome is `would-write` if there is something to write. */
  readonly output: LockForPeople
  /** Returns the new hash of an agent by its canonical id. */
  hashOf(agent: string): string | undefined
  /** Writes it unless a file changed since; undefined if there is nothing to write. */
  readonly write?: () => void
}

/** Computes the lock without writing it. */
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
    output: answer(about, { ...why, outcome: 'refused' }),
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
    output: answer(about, { diff, next, after, outcome, lineEnds }),
    hashOf: agent => (next as unknown as Lock).prompts[agent]?.hash,
    ...(isToWrite && {
      write: () => write({ manifest, old, prompts, places, text }, app),
    }),
  }
}

function mustBeJson(path: string): void {
  if (!/\.(?:ya?ml|md|markdown)$/i.test(path)) return
  throw new WaybillError('usage', `${path} is not JSON, but a lock is written as JSON`, {
    hint: 'name another file with --lock; waybill lock verify reads YAML too',
  })
}

/** Refuses to overwrite a file that is not a lock, such as a manifest; errors in a lock are fixed by rewriting it. */
function mustBeLock(old: Opened): void {
  const { path, value, recognised } = old
  const isBlank = !isReadable(old) || Object.keys(value as object).length === 0
  if (isBlank || recognise(value, path, [recognised.contract], 'walk')) return
  throw new WaybillError('usage', `${path} is not a lock and is not overwritten`, {
    hint: 'name another file with --lock; a missing one is created',
  })
}

/** Checks the manifest by all its rules, and the lock only if it cannot be read: rewriting fixes other errors. */
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
  // Its structure and prompts are already checked.
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
      message: `the lock has format ${quote(version)}, but this version of Waybill writes ${LOCKFILE_VERSION}`,
      hint: 'use the version of Waybill that wrote it, or a newer one',
    },
  ]
}

/** Refuses changes to agents in quarantine; removing an entry is allowed, because the log keeps the quarantine. */
function fromQuarantine(diff: LockDiff, quarantined: Kept): Refusal[] {
  const touched = [...diff.added, ...diff.changed].map(({ id }) => id)
  return touched
    .filter(id => Object.hasOwn(quarantined, id))
    .sort()
    .map(id => ({
      code: 'lock/quarantined',
      agent: id,
      message: `${quote(id)} is in quarantine, so its entry cannot change`,
      hint: `have a person review its prompt: waybill lock reconcile ${id}`,
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
  return new WaybillError('conflict', `changed during locking: ${names}`, {
    hint: 'nothing was written; review the change and try again',
  })
}
