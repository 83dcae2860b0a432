import type { Pool } from './connection.ts'

/**
 * Queues delayed attempts whose delay is over by the database clock, which set it; the engine would use each worker's
 * clock. A delay that began in the future, because the clock was set back, is over too. Runs in the role of the queue.
 */
export async function endRests(pool: Pool): Promise<void> {
  await pool.query(END)
}

const END = `
  with clock as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)
  update dbos.workflow_status set status = 'ENQUEUED', updated_at = clock.now
  from clock
  where status = 'DELAYED' and queue_name = 'tasks' and (delay_until_epoch_ms <= clock.now or created_at > clock.now)`
