import { readdirSync, rmSync, unlink } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { leafHash } from '../hash.ts'
import type { Draft, LastClock, SignedCheckpoint, Taken } from '../log.ts'
import type { NoteSignature } from '../note.ts'
import { batchReceipts, type Receipt } from '../receipt.ts'
import { ContentReader, replaceLine } from './content.ts'
import { DurableFiles } from './durable.ts'
import { cannotWrite, isMissing } from './fault.ts'
import { FrameEncoder } from './frame.ts'
import type { Integrator } from './integrator.ts'
import { KeyIndex, rebuildRuns } from './key-index.ts'
import { DamagedRun } from './key-run.ts'
import type { FileLogOptions, Held } from './options.ts'
import type { Places } from './paths.ts'
import { Pending } from './pending.ts'
import { type Published, publish, publishCosigned, readState } from './published.ts'
import { refuseSealed } from './seal.ts'
import { sha256 } from './sha256.ts'
import { headOf, type TreeState } from './tree.ts'
import { type PersistedLog, refuseUnvouched } from './unvouched.ts'
import { type Segment, segmentsIn } from './wal.ts'
import { WalWriter } from './wal-writer.ts'

/** The inputs of a session. */
interface SessionSetting {
  readonly places: Places
  readonly options: FileLogOptions
  readonly integrator: Integrator
  readonly held: Held
  /** The published state when this process last held the lock. */
  readonly known: Published | undefined
}

const NEVER = Number.POSITIVE_INFINITY

/** The state and operations of a log while this process holds its lock. */
export class Session {
  readonly held: Held
  readonly since = performance.now()
  readonly #setting: SessionSetting
  readonly #wal: WalWriter
  readonly #frames = new FrameEncoder()
  readonly #index: KeyIndex
  #tree: TreeState
  #published: Published
  #closed: Segment[]
  /** By generation: those of the closed segments, then that of the current one. */
  #pending: Pending[] = [new Pending()]
  #next: number
  #oldest = NEVER
  #lastGroup = 0

  /** Reads what other processes left; integrates promised entries. */
  static async open(setting: SessionSetting): Promise<Session> {
    const { places, options, known } = setting
    refuseSealed(places.folder)
    // On tampering, leave the files unchanged.
    const state = await readState(places, options, known)
    prepare(places)
    const left = { ...state, segments: segmentsIn(places.wal) }
    refuseUnvouched(places, left, options.vouch)
    const session = new Session(setting, left)
    try {
      if (session.#closed.length > 0 || state.tree.frontier.size > 0) await session.integrate()
    } catch (error) {
      session.close()
      throw error
    }
    return session
  }

  private constructor(setting: SessionSetting, { tree, published, segments }: PersistedLog) {
    this.held = setting.held
    this.#setting = setting
    this.#wal = new WalWriter(setting.places.wal)
    this.#index = new KeyIndex(setting.places.keys)
    this.#tree = tree
    this.#published = published
    this.#closed = [...segments]
    this.#next = tree.frontier.size
  }

  get published(): Published {
    return this.#published
  }

  /** The clocks at the last integration. */
  get clock(): LastClock | undefined {
    return this.#tree.clock
  }

  /** The number of entries promised but not integrated. */
  get backlog(): number {
    return this.#pending.reduce((sum, { size }) => sum + size, 0)
  }

  /** How long the oldest entry outside of an integration has waited, in milliseconds. */
  get waiting(): number {
    return performance.now() - this.#oldest
  }

  /** Delays the next integration after a failed one. */
  postpone(milliseconds: number): void {
    this.#oldest = performance.now() + milliseconds
  }

  /** Appends what it can as one group; resolves when all of it is on disk. */
  async commit(drafts: readonly Draft[], clock: LastClock): Promise<(Receipt | Taken)[]> {
    const accepted: Draft[] = []
    const taken = this.#sort(drafts, accepted)
    const receipts = accepted.length === 0 ? [] : await this.#write(accepted, clock)
    let at = 0
    return taken.map(refusal => {
      const answer = refusal ?? receipts[at++]
      if (!answer) throw new WaybillError('internal', 'an entry got no receipt')
      return answer
    })
  }

  /** Splits drafts into those that can be appended and those that a key excludes. */
  #sort(drafts: readonly Draft[], accepted: Draft[]): (Taken | undefined)[] {
    const group = new Pending()
    return drafts.map(draft => {
      const refusal = this.#refusal(draft, group)
      if (refusal) return refusal
      group.add(this.#next + accepted.length, [draft])
      accepted.push(draft)
      return undefined
    })
  }

  /** The key of a draft that is taken, or has a newer entry than the draft depends on. */
  #refusal({ keys, seen = [] }: Draft, group: Pending): Taken | undefined {
    const refused = (key: string, index: number): Taken => {
      return { taken: key, index, digest: group.draft(index)?.digest ?? this.#digestOf(index) }
    }
    for (const key of keys.unique) {
      const index = group.owner(key) ?? this.#owner(key)
      if (index !== undefined) return refused(key, index)
    }
    for (const { key, last } of seen) {
      const promised = [...this.#pending, group].flatMap(generation => generation.find(key))
      const index = promised.at(-1) ?? this.#look(integrated => integrated.last(key))
      if (index !== undefined && index !== last) return refused(key, index)
    }
    return undefined
  }

  #owner(key: string): number | undefined {
    for (const pending of this.#pending) {
      const index = pending.owner(key)
      if (index !== undefined) return index
    }
    return this.#look(index => index.owner(key))
  }

  /** Looks up the index; rebuilds damaged parts. */
  #look<T>(ask: (index: KeyIndex) => T): T {
    try {
      return ask(this.#index)
    } catch (error) {
      if (!(error instanceof DamagedRun)) throw error
      this.#index.drop(error.run)
      this.#refreshIndex()
      return ask(this.#index)
    }
  }

  #digestOf(index: number): string {
    const { places, options } = this.#setting
    return (
      this.draft(index)?.digest ??
      options.keysOf(new ContentReader(places.folder).read(index)).digest
    )
  }

  /** Signs while the disk writes; the receipt is returned only after the write. */
  async #write(drafts: readonly Draft[], clock: LastClock): Promise<Receipt[]> {
    const first = this.#next
    const frame = this.#frames.encode(first, clock, drafts)
    const written = this.#wal.append(first, frame, drafts.length + this.#lastGroup === 2)
    this.#lastGroup = drafts.length
    let receipts: Receipt[]
    try {
      receipts = this.#receipts(first, drafts, clock.time)
    } catch (error) {
      await written
      this.#wal.undo(frame)
      throw error
    }
    await written
    if (this.#oldest === NEVER) this.#oldest = performance.now()
    this.#pending.at(-1)?.add(first, drafts)
    this.#next += drafts.length
    return receipts
  }

  #receipts(first: number, drafts: readonly Draft[], time: number): Receipt[] {
    const { origin, promiseSigner } = this.#setting.options
    const entries = drafts.map(({ leaf, digest }) => ({ leaf: leafHash(sha256, leaf), digest }))
    return batchReceipts(sha256, { origin, first, entries, time }, promiseSigner)
  }

  /** Integrates and publishes everything promised so far. Appends may continue meanwhile. */
  async integrate(): Promise<SignedCheckpoint> {
    const { places, options, integrator } = this.#setting
    const ended = this.#wal.rotate()
    if (ended) this.#closed.push(ended)
    const segments = [...this.#closed]
    const generations = this.#pending.length
    this.#pending.push(new Pending())
    this.#oldest = NEVER
    if (segments.length > 0)
      this.#tree = await integrator.run({ folder: places.folder, tree: this.#tree, segments })
    this.#published = publish(places, options, this.#tree, this.#published)
    // Delete only now: a checkpoint on disk covers it.
    await Promise.all(segments.map(({ file }) => takeAway(file)))
    this.#closed = this.#closed.slice(segments.length)
    this.#refreshIndex()
    this.#pending.splice(0, generations)
    this.#next = Math.max(this.#next, this.#tree.frontier.size)
    const { checkpoint } = this.#published
    if (!checkpoint) throw new WaybillError('internal', 'no checkpoint was published')
    return checkpoint
  }

  /** Rebuilds missing or damaged index parts from the contents. */
  #refreshIndex(): void {
    const { places, options } = this.#setting
    const tree = headOf(this.#tree)
    const gaps = this.#index.refresh(tree.size, tree.size)
    if (gaps.length === 0) return
    for (const gap of gaps) rebuildRuns(places, gap, { tree, keysOf: options.keysOf })
    this.#index.refresh(tree.size, tree.size)
  }

  /** Replaces a content with a tombstone; no write-ahead segment holds the content any more. */
  async erase(index: number, tombstone: string): Promise<void> {
    const { places } = this.#setting
    await this.integrate()
    const { size } = this.#tree.frontier
    if (!Number.isSafeInteger(index) || index < 0 || index >= size)
      throw new WaybillError('not-found', `the ledger has no entry ${index}: it has ${size}`)
    const files = new DurableFiles(places.temporary)
    replaceLine(files, places.folder, index, tombstone)
    files.settle()
  }

  /** Adds cosignatures to the checkpoint, if its text is unchanged. */
  cosign(text: string, signatures: readonly NoteSignature[]): SignedCheckpoint | undefined {
    const { places, options } = this.#setting
    const cosigned = publishCosigned(places, options, this.#published, { text, signatures })
    if (cosigned) this.#published = cosigned
    return cosigned?.checkpoint
  }

  /** All entries with a key, ascending; no one else adds any meanwhile. */
  find(key: string): readonly number[] {
    const integrated = this.#look(index => index.find(key))
    const pending = this.#pending.flatMap(generation => generation.find(key))
    if (pending.length === 0) return integrated
    return [...new Set([...integrated, ...pending])].sort((one, other) => one - other)
  }

  /** An entry not yet integrated. */
  draft(index: number): Draft | undefined {
    for (const pending of this.#pending) {
      const draft = pending.draft(index)
      if (draft) return draft
    }
    return undefined
  }

  /** Closes all files; the caller releases the lock. */
  close(): void {
    this.#wal.close()
    this.#index.close()
  }
}

/** Deletes a file asynchronously: deleting a large one takes long. */
function takeAway(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    unlink(file, cause =>
      cause && !isMissing(cause) ? reject(cannotWrite(file, cause)) : resolve(),
    )
  })
}

/** Creates the writable folders, and removes files half-written by a killed process. */
function prepare({ wal, keys, temporary }: Places): void {
  const files = new DurableFiles(temporary)
  for (const folder of [wal, keys, temporary]) files.makeFolder(folder)
  files.settle()
  for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { force: true })
}
