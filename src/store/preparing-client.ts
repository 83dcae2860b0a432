import type { Client, ClientConfig } from 'pg'
import { loadPg } from './packages.ts'

/** The most statements remembered per connection. */
const MOST = 256

/** The undocumented parts of a connection used here. */
interface Wire {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } }
}

/**
 * Creates a client class that prepares statements on their second use and sends concurrent queries in one packet.
 * Planning takes PostgreSQL longer than running small queries; single queries cost nothing extra.
 */
export async function preparingClient(): Promise<new (config?: string | ClientConfig) => Client> {
  const { Client: Plain } = await loadPg()
  return class PreparingClient extends Plain {
    /** Prepared statement names by text; undefined until the second use. */
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
 * Creates a client class for callers that await each answer, such as the queue engine: BEGIN returns at once and is
 * sent with the first statement, which fails if BEGIN failed.
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

/** A plain BEGIN without parameters, whose result is not needed. */
function isBeginning([text, ...more]: readonly unknown[]): boolean {
  return typeof text === 'string' && more.length === 0 && text.startsWith('BEGIN')
}

const BEGUN = { command: 'BEGIN', rowCount: null, oid: 0, rows: [], fields: [] }
