/** Forbids deleting decisions on write-backs and their outcomes. */
export const statements = `
create trigger refuse_removal before delete or truncate on waybill.proposal_decisions
  for each statement execute function waybill.refuse_change();
create trigger refuse_removal before delete or truncate on waybill.writeback_outbox
  for each statement execute function waybill.refuse_change();
`
