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

/** What a gateway is opened with. */
export interface GatewayOptions {
  /** Where the log is kept; in files of the repository when absent. */
  readonly storage?: LogStorage
  /** Milliseconds since 1970, asked for each time. */
  readonly now: () => number
  /** The wall clock, where `now` is none but a time that was given by hand: that says nothing about the clock. */
  readonly wall?: () => number
  /** A folder of the user, outside of the repository, that remembers the last checkpoint of every log. */
  readonly stateHome?: string | undefined
  /** Hears that an entry is made from here on, and that it is recorded unless the log refuses it. */
  readonly recording?: (() => void) | undefined
  /** Hears of each entry that is promised. */
  readonly recorded?: ((kind: EntryKind, receipt: Receipt) => void) | undefined
  /** The program of the thread that brings many entries into the log; without one they are brought in in between. */
  readonly worker?: (() => URL) | undefined
  /** The program of the thread that decides by policies where much is asked at once; without one none is started. */
  readonly policyWorker?: (() => URL) | undefined
}

/** What is recorded: what the entry is about, under which ids it is found, and what it says. */
export interface Recording<K extends EntryKind> {
  readonly subject: readonly Subject[]
  readonly ids?: EntryIds
  readonly agents?: readonly string[]
  readonly says: Predicates[K]
  /** What it was decided on: recorded only while that is still so. */
  readonly seen?: readonly SeenLast[]
}

/** Where handoffs go through: the keys, the trust, the log and the time of one installation. */
export interface Gateway {
  readonly root: string
  readonly config: Config
  readonly origin: string
  readonly trust: Trust
  readonly keys: Keys
  readonly log: Log
  /** Guards that the log lacked when it was opened: whether it is an old copy could not be told. */
  readonly absentGuards: readonly string[]
  /** The thread that may decide by the policies, for as long as the gateway is open. */
  readonly policyThread: PolicyThread | undefined
  /** Whether time was given by hand, and is not that of the clock. */
  readonly isTimeGiven: boolean
  /** Gateway time, milliseconds since 1970: it never goes backwards. */
  time(): number
  /** Records a signed statement; resolves when it can no longer be lost. */
  record<K extends EntryKind>(kind: K, recording: Recording<K>): Promise<Receipt | Taken>
  /** Makes the same for somebody who appends it to the log together with something else. */
  draft<K extends EntryKind>(kind: K, recording: Recording<K>): DraftMaker
  close(): Promise<void>
}

/**
 * Opens the gateway of a repository, and takes in what was recorded before there was a ledger.
 *
 * @throws WaybillError where there are no keys, or the log is not what it was.
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
  // What is asked of the log before its first entry is written must not be answered from an empty one.
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

/** A key that is here and not listed may be one that was listed since the configuration was read. */
function refuseOtherConfig(root: string, config: Config): void {
  const [read, now] = [bytesOf(config), readConfig(root)]
  if (!read || (now && Buffer.compare(read, now) === 0)) return
  throw new WaybillError('conflict', `${CONFIG_FILE} was changed meanwhile`, {
    hint: 'nothing was recorded: run this again',
  })
}

/** An installation has one log: nobody writes another one because they were not told where it is. */
function refuseOtherStorage({ ledger = 'file' }: Config, { kind }: LogStorage): void {
  if (ledger !== kind)
    throw new WaybillError('internal', `the log is to be kept in ${ledger}, not in ${kind}`)
}

type Parts = Pick<Gateway, 'root' | 'config' | 'origin' | 'trust' | 'keys' | 'log' | 'absentGuards'>

/** So many records are taken in at once. */
const GROUP = 64

/** So far apart, in milliseconds, clock and process may be before the system is asked. */
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
  /** When the clocks were looked at, as the process counts. */
  private looked = performance.now()
  private telling: Promise<void> = SETTLED

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
    if (last) await this.tellJump(last, 'between-processes')
    await this.importRecords()
  }

  async record<K extends EntryKind>(kind: K, recording: Recording<K>): Promise<Receipt | Taken> {
    await this.tellJump(this.clocks, 'in-process')
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
      // A log that has a new key looks like somebody else's to who knows the old one alone.
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
    throw noKeys(`there is no key here that counts for the gateway ${this.origin}`)
  }

  private refuseOtherKeys(): void {
    const why = otherKeys(this.keys)
    if (why) throw why
  }

  private wall(): number {
    const { now, wall = now } = this.options
    return wall()
  }

  /** Tells of a clock that was set; whoever records at the same time waits until it is told. */
  private tellJump(before: Clocks, where: Predicates['clock-jump']['where']): Promise<void> {
    const now = this.wall()
    const passed = performance.now() - this.looked
    // The system is asked only when something seems to be odd: it takes longer than all else here.
    if (where === 'in-process' && Math.abs(now - this.clocks.wall - passed) < ODD)
      return this.telling
    const after = clocksNow(now)
    this.looked = performance.now()
    const jump = jumpBetween(before, after, where)
    this.clocks = after
    if (jump) {
      const telling = this.append('clock-jump', { subject: [this.itself()], says: jump })
      this.telling = telling.then(() => undefined)
    }
    return this.telling
  }

  /** What an entry is about that is about nothing but the log. */
  private itself(): Subject {
    const [log] = this.trust.of('log', this.origin)
    return { name: this.origin, digest: { sha256: log?.keyid ?? '' } }
  }

  private async importRecords(): Promise<void> {
    const waiting = waitingRecords(this.root)
    // Those of one group are written together.
    for (let at = 0; at < waiting.length; at += GROUP)
      await Promise.all(waiting.slice(at, at + GROUP).map(record => this.importRecord(record)))
  }

  private async importRecord({ digest, value }: WaitingRecord): Promise<void> {
    const { says, ids } = await describeRecord(digest, value)
    const subject = [{ name: `records/${digest}.json`, digest: { sha256: digest } }]
    // Taken means that another process was faster: the record is an entry either way.
    await this.append('record', { subject, ids, says })
    markImported(this.root, digest)
  }
}
