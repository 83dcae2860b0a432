/** What was decided on a write-back, and what came of it, is not taken away again. */
export const statements = `
create trigger refuse_removal before delete or truncate on waybill.proposal_decisions
  for each statement execute function waybill.refuse_change();
create trigger refuse_removal before delete or truncate on waybill.writeback_outbox
  for each statement execute function waybill.refuse_change();
`
