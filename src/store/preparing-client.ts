import type { Client, ClientConfig } from 'pg'
import { loadPg } from './packages.ts'

/** How many texts a connection remembers: those of a program that knows all of its statements are fewer. */
const MOST = 256

/** As much of a connection as is used here: the driver does not describe it. */
interface Wire {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } }
}

/**
 * Connections that prepare what they are asked a second time, and send what is asked at once in one piece.
 *
 * To plan a statement takes PostgreSQL longer than to do it, where it reads a few rows by their keys. What is asked only
 * once, by a command that ends then, costs what it did.
 */
export async function preparingClient(): Promise<new (config?: string | ClientConfig) => Client> {
  const { Client: Plain } = await loadPg()
  return class PreparingClient extends Plain {
    /** The name of each text that was asked; none before it is asked again. */
    private readonly names = new Map<string, string | undefined>()
    private named = 0
    private isGathering = false

    override query(asked: unknown, ...more: unknown[]): never {
      this.gather()
      const query = super.query as (...all: unknown[]) => never
      const [values, ...rest] = more
      const name = typeof asked === 'string' && Array.isArray(values) && this.nameOf(asked)
      if (!name) return query.call(this, asked, ...more)
      return query.call(this, { name, text: asked, values }, ...rest)
    }

    private nameOf(text: string): string | undefined {
      const known = this.names.get(text)
      if (known !== undefined) return known
      if (!this.names.has(text)) {
        if (this.names.size < MOST) this.names.set(text, undefined)
        return undefined
      }
      const name = `asked${this.named++}`
      this.names.set(text, name)
      return name
    }

    private gather(): void {
      if (this.isGathering) return
      this.isGathering = true
      const { stream } = (this as unknown as Wire).connection
      stream.cork()
      process.nextTick(() => {
        this.isGathering = false
        stream.uncork()
      })
    }
  }
}

/**
 * The same for whoever waits for each answer, as the engine of the queue does: that a transaction begins is not waited
 * for, so that what is asked first in it leaves with it. Where it did not begin, that fails.
 */
export async function beginningClient(): Promise<new (config?: string | ClientConfig) => Client> {
  const Preparing = await preparingClient()
  return class BeginningClient extends Preparing {
    private beginning: Promise<unknown> | undefined

    override query(...asked: unknown[]): never {
      const query = super.query as (...all: unknown[]) => Promise<unknown>
      const answer = query.apply(this, asked)
      const { beginning } = this
      this.beginning = undefined
      if (isBeginning(asked)) {
        answer.catch(() => {})
        this.beginning = answer
        return Promise.resolve(BEGUN) as never
      }
      return (
        beginning ? Promise.all([answer, beginning]).then(([first]) => first) : answer
      ) as never
    }
  }
}

/** A text alone: its answer is waited for by nobody but who gets the promise. */
function isBeginning([text, ...more]: readonly unknown[]): boolean {
  return typeof text === 'string' && more.length === 0 && text.startsWith('BEGIN')
}

const BEGUN = { command: 'BEGIN', rowCount: null, oid: 0, rows: [], fields: [] }
