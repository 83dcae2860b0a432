import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { DraftMaker, Log, Receipt, SeenLast, Subject, Taken } from '../../ledger/index.ts'
import { bytesOf, CONFIG_FILE, type Config, readConfig } from '../../workspace/index.ts'
import { draftEntry } from '../entries/entry.ts'
import type { EntryIds, Predicates } from '../entries/predicates.ts'
import { type Keys, openKeys, type Signer } from '../keys/open-keys.ts'
import { PolicyThread } from '../policy/thread.ts'
import { readTrust, type Trust } from '../trust/trust.ts'
import type { EntryKind } from '../urn.ts'
import { type Clocks, jumpBetween } from './clock.ts'
import { findLog } from './find-log.ts'
import { absentGuards } from './guards.ts'
import { clocksNow, openLog } from './log.ts'
import { BRING_KEYS, noKeys, otherKeys } from './no-keys.ts'
import { otherLogs } from './other-logs.ts'
import { describeRecord } from './record-entry.ts'
import { markImported, type WaitingRecord, waitingRecords } from './records.ts'
import { fileStorage, type LogStorage } from './storage.ts'

/** Options for opening a gateway. */
export interface GatewayOptions {
  /** Where the log is kept; defaults to files of the repository. */
  readonly storage?: LogStorage
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number
  /** The wall clock, if `now` is a time given by hand. */
  readonly wall?: () => number
  /** A folder of the user, outside of the repository, that remembers the last checkpoint of every log. */
  readonly stateHome?: string | undefined
  /** Called before an entry is signed; the entry is then recorded unless the log refuses it. */
  readonly recording?: (() => void) | undefined
  /** Called for each promised entry. */
  readonly recorded?: ((kind: EntryKind, receipt: Receipt) => void) | undefined
  /** The program of the thread that integrates many entries; by default they are integrated on this thread. */
  readonly worker?: (() => URL) | undefined
  /** The program of the thread that evaluates policies under load; by default none is started. */
  readonly policyWorker?: (() => URL) | undefined
}

/** The subject, ids and statement of an entry to record. */
export interface Recording<K extends EntryKind> {
  readonly subject: readonly Subject[]
  readonly ids?: EntryIds
  readonly agents?: readonly string[]
  readonly says: Predicates[K]
  /** The log state that the decision rests on: the entry is recorded only if it is unchanged. */
  readonly seen?: readonly SeenLast[]
}

/** The keys, trust, log and clock of one installation. */
export interface Gateway {
  readonly root: string
  readonly config: Config
  readonly origin: string
  readonly trust: Trust
  readonly keys: Keys
  readonly log: Log
  /** Guards missing when the log was opened, without which an old copy goes unnoticed. */
  readonly absentGuards: readonly string[]
  /** The thread that evaluates policies while the gateway is open. */
  readonly policyThread: PolicyThread | undefined
  /** Whether the time was given by hand instead of by the clock. */
  readonly isTimeGiven: boolean
  /** Gateway time, in milliseconds since the epoch; never decreases. */
  time(): number
  /** Records a signed statement; resolves when it is durable. */
  record<K extends EntryKind>(kind: K, recording: Recording<K>): Promise<Receipt | Taken>
  /** Returns the draft of an entry, for callers that append it in their own transaction. */
  draft<K extends EntryKind>(kind: K, recording: Recording<K>): DraftMaker
  close(): Promise<void>
}

/**
 * Opens the gateway of a repository, and imports records that waited for a log.
 *
 * @throws {WaybillError} 'configuration' when there are no keys; 'ledger-tampered' when the log is gone or rolled back.
 */
export async function openGateway(
  root: string,
  config: Config,
  options: GatewayOptions,
): Promise<Gateway> {
  const trust = readTrust(config)
  const keys = openKeys(root, trust)
  if ([...keys.files.keys()].some(keyid => !trust.byId(keyid))) refuseOtherConfig(root, config)
  const { origin } = keys
  const { now, wall = now, stateHome, worker, storage = fileStorage(root) } = options
  if (origin === undefined) {
    const { shared } = otherLogs(root, trust, keys, stateHome, config)
    throw noKeys('there are no keys here', shared.length > 0 ? BRING_KEYS : undefined)
  }
  refuseOtherStorage(config, storage)
  // Find the log first, so that a missing log is not mistaken for an empty one.
  const head = await findLog(root, { origin, trust }, storage, stateHome)
  const absent = absentGuards(root, origin, stateHome, head)
  const opening = { storage, origin, trust, keys, now, wall, stateHome, worker }
  const log = await openLog(root, opening, head)
  const gateway = new OpenGateway(
    { root, config, origin, trust, keys, log, absentGuards: absent },
    options,
  )
  try {
    await gateway.begin()
    return gateway
  } catch (error) {
    await log.close()
    throw error
  }
}

/** An unlisted key here may have been listed after the configuration was read. */
function refuseOtherConfig(root: string, config: Config): void {
  const [read, now] = [bytesOf(config), readConfig(root)]
  if (!read || (now && Buffer.compare(read, now) === 0)) return
  throw new WaybillError('conflict', `${CONFIG_FILE} was changed during this run`, {
    hint: 'nothing was recorded: run this again',
  })
}

/** An installation has one log: refuse to write another one in the wrong storage. */
function refuseOtherStorage({ ledger = 'file' }: Config, { kind }: LogStorage): void {
  if (ledger !== kind)
    throw new WaybillError('internal', `the log must be kept in ${ledger}, not in ${kind}`)
}

type Parts = Pick<Gateway, 'root' | 'config' | 'origin' | 'trust' | 'keys' | 'log' | 'absentGuards'>

/** How many records are imported at once. */
const GROUP = 64

/** The drift, in milliseconds, beyond which the system clocks are read. */
const ODD = 1000

const SETTLED: Promise<void> = Promise.resolve()

class OpenGateway implements Gateway {
  readonly root: string
  readonly config: Config
  readonly origin: string
  readonly trust: Trust
  readonly keys: Keys
  readonly log: Log
  readonly absentGuards: readonly string[]
  readonly policyThread: PolicyThread | undefined
  private readonly options: GatewayOptions
  private clocks: Clocks
  /** When the clocks were last read, by `performance.now()`. */
  private readAt = performance.now()
  private recordingJump: Promise<void> = SETTLED

  constructor(parts: Parts, options: GatewayOptions) {
    const { root, config, origin, trust, keys, log } = parts
    this.root = root
    this.config = config
    this.origin = origin
    this.trust = trust
    this.keys = keys
    this.log = log
    this.absentGuards = parts.absentGuards
    this.options = options
    this.policyThread = options.policyWorker && new PolicyThread(options.policyWorker)
    this.clocks = clocksNow(this.wall())
  }

  get isTimeGiven(): boolean {
    return this.options.wall !== undefined
  }

  time(): number {
    return this.log.time(this.options.now())
  }

  async begin(): Promise<void> {
    const last = await this.log.lastClock()
    if (last) await this.recordJump(last, 'between-processes')
    await this.importRecords()
  }

  async record<K extends EntryKind>(kind: K, recording: Recording<K>): Promise<Receipt | Taken> {
    await this.recordJump(this.clocks, 'in-process')
    return this.append(kind, recording)
  }

  async close(): Promise<void> {
    await this.policyThread?.close()
    await this.log.close()
  }

  draft<K extends EntryKind>(
    kind: K,
    { subject, ids = {}, agents = [], says, seen = [] }: Recording<K>,
  ): DraftMaker {
    const named = { ids, agents: [...new Set(agents)] }
    return at => {
      this.options.recording?.()
      const predicate = { ...says, at: formatInstant(at), ...named }
      return { ...draftEntry(kind, { subject, predicate }, this.signer(at)), seen }
    }
  }

  private async append<K extends EntryKind>(
    kind: K,
    recording: Recording<K>,
  ): Promise<Receipt | Taken> {
    const answer = await this.log.append(this.draft(kind, recording)).catch(error => {
      // With only the old key, a log with a new key looks like another log.
      this.refuseOtherKeys()
      throw error
    })
    if (!('taken' in answer)) this.options.recorded?.(kind, answer)
    return answer
  }

  private signer(at: number): Signer {
    this.refuseOtherKeys()
    const signer = this.keys.signer('gateway', this.origin, at)
    if (signer) return signer
    throw noKeys(`there is no valid key here for the gateway ${this.origin}`)
  }

  private refuseOtherKeys(): void {
    const why = otherKeys(this.keys)
    if (why) throw why
  }

  private wall(): number {
    const { now, wall = now } = this.options
    return wall()
  }

  /** Records a clock jump; concurrent records wait for it. */
  private recordJump(before: Clocks, where: Predicates['clock-jump']['where']): Promise<void> {
    const now = this.wall()
    const passed = performance.now() - this.readAt
    // Reading the system clocks is slow, so do it only when the wall clock drifts.
    if (where === 'in-process' && Math.abs(now - this.clocks.wall - passed) < ODD)
      return this.recordingJump
    const after = clocksNow(now)
    this.readAt = performance.now()
    const jump = jumpBetween(before, after, where)
    this.clocks = after
    if (jump) {
      const appending = this.append('clock-jump', { subject: [this.itself()], says: jump })
      this.recordingJump = appending.then(() => undefined)
    }
    return this.recordingJump
  }

  /** The subject of entries about the log itself. */
  private itself(): Subject {
    const [log] = this.trust.of('log', this.origin)
    return { name: this.origin, digest: { sha256: log?.keyid ?? '' } }
  }

  private async importRecords(): Promise<void> {
    const waiting = waitingRecords(this.root)
    // Each group is written together.
    for (let at = 0; at < waiting.length; at += GROUP)
      await Promise.all(waiting.slice(at, at + GROUP).map(record => this.importRecord(record)))
  }

  private async importRecord({ digest, value }: WaitingRecord): Promise<void> {
    const { says, ids } = await describeRecord(digest, value)
    const subject = [{ name: `records/${digest}.json`, digest: { sha256: digest } }]
    // A taken key means that another process imported it first.
    await this.append('record', { subject, ids, says })
    markImported(this.root, digest)
  }
}
