import type { Pool } from './connection.ts'

/**
 * Queues attempts that have rested for as long as they were to, on a connection in the role of the queue: by the clock of
 * the database, which has set the end of the rest. The engine asks that of the clock of each worker.
 *
 * Of what was put to rest at a time that is yet to come nobody knows how long it has rested, for the clock was set back:
 * its rest is over.
 */
export async function endRests(pool: Pool): Promise<void> {
  await pool.query(END)
}

const END = `
  with clock as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)
  update dbos.workflow_status set status = 'ENQUEUED', updated_at = clock.now
  from clock
  where status = 'DELAYED' and queue_name = 'tasks' and (delay_until_epoch_ms <= clock.now or created_at > clock.now)`
