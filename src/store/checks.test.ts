import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openTwoTenants,
  RUN_TABLES,
  runInsertion,
  type TwoTenants,
} from '../../test/two-tenants.ts'

let tenants: TwoTenants
beforeAll(async () => {
  tenants = await openTwoTenants()
})
afterAll(async () => {
  await tenants?.remove()
})

const refused = (constraint: string) => ({
  code: '23514',
  message: expect.stringContaining(`violates check constraint "${constraint}"`),
})

test.each<readonly [string, string, string]>([
  ['mission_runs', "state = 'asleep'", 'run_state_is_known'],
  ['mission_runs', 'open_tasks = -1', 'run_counts'],
  ['mission_runs', 'open_tasks = 1, active_tasks = 2', 'run_counts'],
  ['mission_runs', 'active_tasks = -1', 'run_counts'],
  ['mission_runs', 'tokens_used = -1', 'run_counts'],
  ['task_runs', "state = 'asleep'", 'task_state_is_known'],
  ['task_runs', "state = 'running', worker_id = null", 'task_is_run_by_one'],
  ['task_runs', "state = 'queued', worker_id = gen_random_uuid()", 'task_is_run_by_one'],
  ...['attempt', 'failures', 'losses', 'open_dependencies', 'tokens_used'].map(
    column => ['task_runs', `${column} = -1`, 'task_counts'] as const,
  ),
  ['writeback_outbox', "state = 'lost'", 'delivery_state_is_known'],
])(
  'a row of %s is never one with %s, whatever role changes it',
  async (table, change, constraint) => {
    const { owner } = tenants
    expect(await owner.refusal('acme', `update waybill.${table} set ${change}`)).toMatchObject(
      refused(constraint),
    )
  },
)

test.each([
  ['proposal_decisions', 'decision', 'postponed', 'decision_is_known'],
  ['proposal_decisions', 'standing', 'presumed', 'standing_is_known'],
  ['tool_calls', 'decision', 'perhaps', 'call_was_decided'],
] as const)('no row of %s has the %s %s', async (table, column, value, constraint) => {
  const { owner, mission } = tenants
  const [sql, [row]] = runInsertion(table, 'acme', mission)
  const changed = [JSON.stringify({ ...JSON.parse(String(row)), [column]: value })]
  expect(await owner.refusal('acme', sql, changed)).toMatchObject(refused(constraint))
})

test.each(RUN_TABLES)('no row of %s is that of a tenant without a name', async table => {
  const { owner, mission } = tenants
  expect(await owner.refusal('', ...runInsertion(table, '', mission))).toMatchObject(
    refused('tenant_is_named'),
  )
})

test('a database is that of one repository', async () => {
  const second = "insert into waybill.installation (is_the_only_one, origin) values (false, 'x')"
  expect(await tenants.owner.refusal(undefined, second)).toMatchObject(refused('one_installation'))
})
