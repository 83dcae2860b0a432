import type { Which } from '../src/mission/approvals/proposal.ts'
import { APPLICATION } from '../src/store/index.ts'
import { connectRaw } from './raw-sql.ts'

/** The content of a forged row. */
export interface Forged {
  readonly decided_by?: string
  readonly standing?: string
  readonly why?: string
  readonly statement?: unknown
  readonly entry?: string | null
  readonly expires_at?: Date | null
}

/**
 * Writes an approval into the database as the role of the application, by no code of ours; one that names an entry also
 * into the outbox and the queue, as if it had been recorded.
 */
export async function forgeApproval(
  url: string,
  { tenant, mission, proposal }: Which,
  forged: Forged,
): Promise<void> {
  const row = { decided_by: 'ada', standing: 'proved', why: 'forged', statement: {}, ...forged }
  const { client, end } = await connectRaw(url)
  try {
    await client.query(`begin; set local role ${APPLICATION}`)
    await client.query("select set_config('waybill.tenant', $1, true)", [tenant])
    await client.query(
      `insert into waybill.proposal_decisions (tenant_id, mission_id, proposal_id, digest, decision, decided_by, standing,
        why, statement, entry, expires_at)
      select tenant_id, mission_id, proposal_id, digest, 'approved', $3, $4, $5, $6::jsonb, $7, $8
      from waybill.colony_writeback_proposals where mission_id = $1 and proposal_id = $2`,
      [
        ...[mission, proposal, row.decided_by, row.standing, row.why],
        ...[JSON.stringify(row.statement), row.entry ?? null, row.expires_at ?? null],
      ],
    )
    if (row.entry) {
      const outbox = `insert into waybill.writeback_outbox (tenant_id, mission_id, proposal_id) values ($1, $2, $3)`
      await client.query(outbox, [tenant, mission, proposal])
      const task = `waybill:writeback:${proposal}`
      await client.query('select waybill.enqueue_task($1, $2, 1, 0)', [mission, task])
    }
    await client.query('commit')
  } finally {
    await end()
  }
}
