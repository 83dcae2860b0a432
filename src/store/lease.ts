import type { Client } from 'pg'
import { clientOf, connected } from './connection.ts'
import { asWaybillError } from './faults.ts'
import { APPLICATION, isolationOf } from './roles.ts'

/** A worker registered in the database. */
export interface KnownWorker {
  readonly worker: string
  /** Its last renewal, as the database formats it. */
  readonly renewed: string
  /** Milliseconds since then, or since the server start if that is later. */
  readonly age: number
}

/** The result of a renewal. */
export interface Renewal {
  /** Whether the row existed; if not, other workers declared this one dead. */
  readonly wasThere: boolean
  /** Whether the connection is new, so that notifications may be missed. */
  readonly isNew: boolean
  /** All workers, including this one. */
  readonly workers: readonly KnownWorker[]
}

/** The registration of a live worker, on a connection of its own. */
export interface Lease {
  /** Renews the lease and reads all workers. */
  renew(): Promise<Renewal>
  /** Removes the row of a worker; with `renewed`, only if it was not renewed since. */
  remove(worker: string, renewed?: string): Promise<boolean>
  /** Sets the listener for changed missions. */
  listen(hear: (mission: string) => void): void
  close(): Promise<void>
}

/** The notification channel for changes of missions. */
export const CHANNEL = 'waybill_missions'

/** The query timeout before reconnecting, in milliseconds. */
const PATIENCE = 5_000

/** Counts the workers, optionally of one host, that renewed their lease within some milliseconds. */
export async function countWorkers(url: string, within: number, host?: string): Promise<number> {
  try {
    return await connected(url, async client => {
      const { by } = await isolationOf(client)
      if (by === 'roles') await client.query(`set role ${APPLICATION}`)
      const { rows } = await client.query(COUNT, [within, host ?? null])
      return Number(rows[0]?.count)
    })
  } catch (error) {
    throw asWaybillError(error)
  }
}

const COUNT = `
  select count(*) from waybill.workers
  where clock_timestamp() - renewed_at between interval '0' and $1 * interval '1 millisecond'
    and ($2::text is null or host = $2)`

/** Opens the lease of a worker; the first renewal creates its row. */
export function openLease(url: string, worker: { id: string; host: string; pid: number }): Lease {
  return new OpenLease(url, worker)
}

class OpenLease implements Lease {
  private readonly url: string
  private readonly worker: { id: string; host: string; pid: number }
  private client: Promise<Client> | undefined
  private renewedOn: Client | undefined
  private hear: (mission: string) => void = () => {}

  constructor(url: string, worker: { id: string; host: string; pid: number }) {
    this.url = url
    this.worker = worker
  }

  async renew(): Promise<Renewal> {
    const { id, host, pid } = this.worker
    return this.asked(async client => {
      const { rows } = await client.query(RENEW, [id, host, pid])
      const isNew = client !== this.renewedOn
      this.renewedOn = client
      return {
        wasThere: rows[0].was_there,
        isNew,
        workers: rows.map(({ worker_id, renewed, age }) => ({
          worker: worker_id,
          renewed,
          age: Number(age),
        })),
      }
    })
  }

  remove(worker: string, renewed?: string): Promise<boolean> {
    return this.asked(async client => {
      const { rowCount } = await client.query(
        `delete from waybill.workers where worker_id = $1 and ($2::text is null or renewed_at::text = $2)`,
        [worker, renewed ?? null],
      )
      return rowCount === 1
    })
  }

  listen(hear: (mission: string) => void): void {
    this.hear = hear
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined)
    this.client = undefined
    await client?.end().catch(() => {})
  }

  private async asked<T>(ask: (client: Client) => Promise<T>): Promise<T> {
    const opening = this.open()
    try {
      return await ask(await opening)
    } catch (error) {
      if (this.client === opening) this.client = undefined
      void opening.then(client => client.end()).catch(() => {})
      throw asWaybillError(error)
    }
  }

  private open(): Promise<Client> {
    this.client ??= this.connect()
    return this.client
  }

  private async connect(): Promise<Client> {
    const owner = await clientOf(this.url, undefined, { query_timeout: PATIENCE })
    await owner.connect()
    const isolation = await isolationOf(owner).finally(() => owner.end().catch(() => {}))
    const role = isolation.by === 'roles' ? APPLICATION : undefined
    const client = await clientOf(this.url, role, { query_timeout: PATIENCE })
    client.on('notification', ({ payload = '' }) => this.hear(payload))
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    return client
  }
}

/** The row of this worker comes first. */
const RENEW = `
  with mine as (
    insert into waybill.workers (worker_id, host, pid) values ($1, $2, $3)
    on conflict (worker_id) do update set renewed_at = clock_timestamp()
    returning worker_id, renewed_at, xmax <> 0 as was_there
  ), all_of_them as (
    select worker_id, renewed_at, was_there, 0 as rank from mine
    union all
    select worker_id, renewed_at, null, 1 from waybill.workers where worker_id <> $1
  )
  select worker_id, renewed_at::text as renewed, was_there,
    extract(epoch from clock_timestamp() - greatest(renewed_at, pg_postmaster_start_time())) * 1000 as age
  from all_of_them order by rank`
