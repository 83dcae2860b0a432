import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { WaybillError } from '../error.ts'
import { artifactTables } from './artifact-tables.generated.ts'
import { codeOf } from './faults.ts'

/** The role that the application works in: no superuser, and row-level security holds for it. */
export const APPLICATION = 'waybill_app'
/** The role that the queue works in: it has rights in its own schema alone. */
export const DURABLE = 'waybill_durable'

/** What keeps tenants apart: roles that see no other's rows, or nothing but the filters of our own queries. */
export type Isolation =
  | { readonly by: 'roles' }
  | { readonly by: 'query'; readonly why: string; readonly remedy: string }

/** What the application may do with tables beside those of artifacts, which it reads and adds to. */
const RIGHTS: Readonly<Record<string, string>> = {
  colony_tasks: 'select',
  colony_task_dependencies: 'select',
  // The log belongs to the installation: it is read as a whole, and appended to by its own functions alone.
  ledger_entries: 'select',
  ledger_keys: 'select',
  ledger_nodes: 'select',
  ledger_state: 'select',
  ledger_checkpoint: 'select',
  mission_runs: 'select, insert, update',
  task_runs: 'select, insert, update',
  task_outputs: 'select, insert',
  tool_calls: 'select, insert',
  proposal_decisions: 'select, insert, update (entry)',
  writeback_outbox: 'select, insert, update',
  installation: 'select, insert',
  // Workers serve every tenant.
  workers: 'select, insert, update, delete',
}
/** Functions that the application calls; those that decide about a value alone it may always call. */
const CALLED = [
  'enqueue_task(uuid, text, integer, bigint)',
  'dequeue_tasks(uuid, text[], integer[])',
  'ledger_take()',
  'ledger_append',
  'ledger_publish(text, bigint, text)',
  'ledger_cosign(text, text)',
]

/** How often a role is tried to be made while others make the same one in another database of the server. */
const ATTEMPTS = 20

/** Tells what keeps the tenants of a database apart, as it is now, for whoever may take the given roles. */
export async function isolationOf(
  client: Client,
  roles: readonly string[] = [APPLICATION],
): Promise<Isolation> {
  for (const role of roles) {
    if (!(await mayTake(client, role)))
      return byQuery(`the role ${role} is missing or not given to the owner`)
  }
  const { rows } = await client.query(
    'select rolname from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)',
    [[APPLICATION, DURABLE]],
  )
  if (rows.length === 0) return { by: 'roles' }
  throw new WaybillError(
    'configuration',
    `the role ${rows[0].rolname} sees the rows of every tenant`,
    {
      hint: `alter role ${rows[0].rolname} nosuperuser nobypassrls`,
    },
  )
}

function byQuery(why: string): Isolation {
  return {
    by: 'query',
    why,
    remedy: `as a superuser: create role ${APPLICATION}; create role ${DURABLE}; grant ${APPLICATION}, ${DURABLE} to <owner>; then migrate again`,
  }
}

/** Makes the roles that are missing, where the owner may. */
export async function ensureRoles(client: Client): Promise<Isolation> {
  for (const role of [APPLICATION, DURABLE]) {
    const isThere = await unlessForbidden(client, role, MADE, `create role ${role} nologin`)
    if (isThere) await unlessForbidden(client, role, TAKEABLE, `grant ${role} to session_user`)
  }
  return isolationOf(client, [APPLICATION, DURABLE])
}

const MADE = 'select 1 from pg_roles where rolname = $1'
/** Since version 16 to be a member and to be allowed to take the role are two things. */
const TAKEABLE = `select 1 where case
  when to_regrole($1) is null then false
  when current_setting('server_version_num')::integer < 160000
    then pg_has_role(session_user, to_regrole($1), 'member')
  else pg_has_role(session_user, to_regrole($1), 'set') end`

/** Whether something is done now. Roles belong to the whole server: whoever migrates another database may be making the same one. */
async function unlessForbidden(
  client: Client,
  role: string,
  done: string,
  statement: string,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query(done, [role])
    if (rows.length > 0) return true
    try {
      await client.query(statement)
      return true
    } catch (error) {
      const code = codeOf(error)
      if (code === '42501') return false
      // Made by another just now, or changed under our hands.
      const isRace = ['42710', '23505', 'XX000', '42704'].includes(code)
      if (!isRace || attempt === ATTEMPTS) throw error
      await new Promise(resolve => setTimeout(resolve, 10 * attempt))
    }
  }
}

async function mayTake(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query(TAKEABLE, [role])
  return rows.length > 0
}

/** What the schema is described by when the roles have all rights of these migrations. */
export function markOfRights(migrations: readonly string[]): string {
  const all = JSON.stringify([migrations, applicationRights(), QUEUE_RIGHTS])
  return `Rights ${createHash('sha256').update(all).digest('hex').slice(0, 16)}`
}

/** Gives the roles what they need and nothing else; the same again changes nothing. */
export async function giveRights(client: Client, { by }: Isolation, mark: string): Promise<void> {
  await client.query('begin')
  try {
    if (by === 'query') await client.query(ONE_TENANT)
    else
      await client.query(
        `drop index if exists waybill.one_tenant; ${NOT_TO_ALL}; ${applicationRights()}; ${QUEUE_RIGHTS};
         comment on schema waybill is '${mark}'`,
      )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (codeOf(error) === '23505') throw severalTenants(error)
    throw error
  }
}

/** Where roles keep nobody apart, the database itself has room for one tenant. */
const ONE_TENANT = 'create unique index if not exists one_tenant on waybill.tenants ((true))'
const NOT_TO_ALL = `revoke all on schema waybill from public;
  revoke all on all tables in schema waybill from public;
  revoke all on all functions in schema waybill from public`

/** The refusal of a second tenant where nothing but our own queries would keep it from the first. */
export function severalTenants(cause?: unknown): WaybillError {
  return new WaybillError(
    'configuration',
    'this database keeps tenants apart by query only, and so has room for one tenant',
    {
      hint: `let somebody who may create roles migrate it: ${APPLICATION} and ${DURABLE} are missing`,
      cause,
    },
  )
}

function applicationRights(): string {
  const tables = Object.values(artifactTables).map(({ table }) => table)
  const rights = Object.entries(RIGHTS)
  return [
    `revoke all on all tables in schema waybill from ${APPLICATION}`,
    `revoke all on all functions in schema waybill from ${APPLICATION}`,
    `grant usage on schema waybill to ${APPLICATION}`,
    ...tables.map(
      table =>
        `grant select, insert (tenant_id, digest, payload) on waybill.${table} to ${APPLICATION}`,
    ),
    ...rights.map(([table, right]) => `grant ${right} on waybill.${table} to ${APPLICATION}`),
    ...CALLED.map(signature => `grant execute on function waybill.${signature} to ${APPLICATION}`),
    PURE_FUNCTIONS,
  ].join(';\n')
}

const PURE_FUNCTIONS = `do $$
declare
  pure regprocedure;
begin
  for pure in select oid from pg_proc
    where pronamespace = 'waybill'::regnamespace and provolatile = 'i'
  loop
    execute format('grant execute on function %s to ${APPLICATION}', pure);
  end loop;
end $$`

/** What enqueues, or takes from the queue, does so with the rights of the queue's role, and of nobody else. */
const QUEUE_RIGHTS = `grant usage, create on schema waybill to ${DURABLE};
  alter function waybill.enqueue_task(uuid, text, integer, bigint) owner to ${DURABLE};
  alter function waybill.dequeue_tasks(uuid, text[], integer[]) owner to ${DURABLE};
  revoke all on schema waybill from ${DURABLE}`
