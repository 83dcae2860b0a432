/** Decisions on proposed write-backs, and the outbox of approved ones. */
export const statements = `
create table waybill.proposal_decisions (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  proposal_id text not null,
  digest text not null,
  decision text not null,
  decided_by text not null,
  standing text not null,
  why text not null,
  statement jsonb not null,
  decided_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  entry text,
  primary key (tenant_id, mission_id, proposal_id),
  foreign key (tenant_id, mission_id, proposal_id) references waybill.colony_writeback_proposals,
  constraint decision_is_known check (decision in ('approved', 'rejected')),
  constraint standing_is_known check (standing in ('proved', 'claimed', 'policy'))
);
comment on table waybill.proposal_decisions is 'What people decided on proposed write-backs: once each, bound to the digest of the proposal.';
comment on column waybill.proposal_decisions.tenant_id is 'Whose row it is.';
comment on column waybill.proposal_decisions.mission_id is 'The mission.';
comment on column waybill.proposal_decisions.proposal_id is 'The proposal.';
comment on column waybill.proposal_decisions.digest is 'Hex SHA-256 of the canonical JSON of the proposal that was decided on.';
comment on column waybill.proposal_decisions.decision is 'What was decided.';
comment on column waybill.proposal_decisions.decided_by is 'Who decided.';
comment on column waybill.proposal_decisions.standing is 'Whether a key shows that, it is a name alone, or a policy let the proposal out without a person.';
comment on column waybill.proposal_decisions.why is 'Why.';
comment on column waybill.proposal_decisions.statement is 'What was stated, and the signature over it.';
comment on column waybill.proposal_decisions.decided_at is 'When.';
comment on column waybill.proposal_decisions.expires_at is 'Until when an approval may be acted on.';
comment on column waybill.proposal_decisions.entry is 'The entry of the log that says so, by its digest; nothing until it is recorded: nobody acts on it before.';
comment on constraint decision_is_known on waybill.proposal_decisions is 'A proposal is approved or rejected.';
comment on constraint standing_is_known on waybill.proposal_decisions is 'A person is proved or claimed; where none was needed, a policy decided.';
comment on constraint tenant_is_named on waybill.proposal_decisions is 'The tenant has a name.';
create index proposal_decisions_unrecorded on waybill.proposal_decisions (tenant_id, decided_at) where entry is null;

alter table waybill.proposal_decisions enable row level security;
alter table waybill.proposal_decisions force row level security;
create policy own_tenant on waybill.proposal_decisions
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));

create table waybill.writeback_outbox (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  proposal_id text not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  outcome jsonb,
  ended_at timestamptz,
  primary key (tenant_id, mission_id, proposal_id),
  foreign key (tenant_id, mission_id, proposal_id) references waybill.proposal_decisions,
  constraint delivery_state_is_known check (state in ('pending', 'delivered', 'failed'))
);
comment on table waybill.writeback_outbox is 'Approved proposals on their way out, each at least once, with its id as the key by which the other side knows it again.';
comment on column waybill.writeback_outbox.tenant_id is 'Whose row it is.';
comment on column waybill.writeback_outbox.mission_id is 'The mission.';
comment on column waybill.writeback_outbox.proposal_id is 'The proposal.';
comment on column waybill.writeback_outbox.state is 'Whether it has arrived.';
comment on column waybill.writeback_outbox.attempts is 'How often it was sent.';
comment on column waybill.writeback_outbox.next_at is 'When it is sent next.';
comment on column waybill.writeback_outbox.outcome is 'What came of it last: a code and a sentence.';
comment on column waybill.writeback_outbox.ended_at is 'When it had arrived, or was given up.';
comment on constraint delivery_state_is_known on waybill.writeback_outbox is 'It is on its way, has arrived, or was given up.';
comment on constraint tenant_is_named on waybill.writeback_outbox is 'The tenant has a name.';
create index writeback_outbox_pending on waybill.writeback_outbox (tenant_id, next_at) where state = 'pending';

alter table waybill.writeback_outbox enable row level security;
alter table waybill.writeback_outbox force row level security;
create policy own_tenant on waybill.writeback_outbox
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
`
