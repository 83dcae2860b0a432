import {
  formatCheckpoint,
  openSigned,
  replaceDurably,
  rootOf,
  type SignedCheckpoint,
  sha256,
  signNote,
} from '../../ledger/index.ts'
import { refuseOtherOrigin } from './appending.ts'
import { type LedgerDatabase, patiently, sqlOn } from './database.ts'
import type { PostgresLogOptions } from './options.ts'
import { BEGIN_HELD, FLUSH, type LogState, NOTE, PUBLISH, stateOf } from './statements.ts'

/** The delay of publishing, in milliseconds; entries are covered by a checkpoint within a second. */
const DELAY = 400

/** Signs and publishes checkpoints, while no process appends. */
export class Publisher {
  readonly #database: LedgerDatabase
  readonly #options: PostgresLogOptions
  #timer: NodeJS.Timeout | undefined
  #current: Promise<SignedCheckpoint> | undefined
  #next: Promise<SignedCheckpoint> | undefined
  #known: SignedCheckpoint | undefined
  #guarded: string | undefined
  #isRunning = false
  #isEnded = false

  constructor(database: LedgerDatabase, options: PostgresLogOptions) {
    this.#database = database
    this.#options = options
  }

  /** Publishes within a second. */
  soon(): void {
    if (this.#isEnded) return
    this.#timer ??= setTimeout(() => this.publish().catch(() => this.soon()), DELAY)
  }

  /** Publishes pending entries and stops. */
  async end(): Promise<void> {
    const isLeft = this.#timer !== undefined || this.#isRunning
    this.#isEnded = true
    if (isLeft) await this.publish()
  }

  /** Publishes everything committed so far. */
  publish(): Promise<SignedCheckpoint> {
    this.#next ??= this.#run()
    return this.#next
  }

  async #run(): Promise<SignedCheckpoint> {
    await this.#current?.catch(() => {})
    this.#next = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isRunning = true
    this.#current = patiently(() => this.#publish()).finally(() => {
      this.#isRunning = false
    })
    return this.#current
  }

  #publish(): Promise<SignedCheckpoint> {
    return this.#database.on(async client => {
      const results = (await client.query(BEGIN_HELD)) as unknown as { rows: never[] }[]
      const state = stateOf(results.at(-1)?.rows[0])
      refuseOtherOrigin(state.origin, this.#options.origin)
      const [row] = await sqlOn(client).rows(NOTE)
      const signed = await this.#sign(state, row?.note)
      await this.#guard(signed.note)
      const { note, checkpoint } = signed
      if (note !== row?.note)
        await sqlOn(client).rows(PUBLISH, [checkpoint.origin, checkpoint.size, note])
      await client.query('commit')
      this.#known = signed
      return signed
    })
  }

  /** The published checkpoint if it covers everything, or else a new one. */
  async #sign({ frontier }: LogState, note: unknown): Promise<SignedCheckpoint> {
    const { origin, checkpointSigner } = this.#options
    if (typeof note === 'string') {
      const published = await openSigned(note, 'its checkpoint', this.#options, this.#known)
      if (published.checkpoint.size === frontier.size) return published
    }
    const checkpoint = { origin, size: frontier.size, root: rootOf(sha256, frontier) }
    return { checkpoint, note: signNote(formatCheckpoint(checkpoint), [checkpointSigner]) }
  }

  /** Writes the local guards before publishing, so that they are never behind; their entries must be on disk first. */
  async #guard(note: string): Promise<void> {
    if (note === this.#guarded) return
    if (this.#options.guards.length > 0) {
      await this.#database.on(client => client.query(FLUSH))
      for (const guard of this.#options.guards) replaceDurably(guard, note)
    }
    this.#guarded = note
  }
}
