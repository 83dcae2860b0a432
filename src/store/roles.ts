import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { WaybillError } from '../error.ts'
import { artifactTables } from './artifact-tables.generated.ts'
import { codeOf } from './faults.ts'

/** The role of the application, subject to row-level security. */
export const APPLICATION = 'waybill_app'
/** The role of the queue, with rights in its own schema only. */
export const DURABLE = 'waybill_durable'

/** How tenants are isolated: by roles with row-level security, or only by the filters of our queries. */
export type Isolation =
  | { readonly by: 'roles' }
  | { readonly by: 'query'; readonly why: string; readonly remedy: string }

/** The application's rights on tables other than those of artifacts. */
const RIGHTS: Readonly<Record<string, string>> = {
  colony_tasks: 'select',
  colony_task_dependencies: 'select',
  // The log belongs to the installation: read directly, appended only through functions.
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
  // Workers serve all tenants.
  workers: 'select, insert, update, delete',
}
/** Functions that the application may call, apart from immutable ones. */
const CALLED = [
  'enqueue_task(uuid, text, integer, bigint)',
  'dequeue_tasks(uuid, text[], integer[])',
  'ledger_take()',
  'ledger_append',
  'ledger_publish(text, bigint, text)',
  'ledger_cosign(text, text)',
]

/** Retries to create a role while other databases of the server create it too. */
const ATTEMPTS = 20

/** Determines how a database isolates tenants for a login that may take the given roles. */
export async function isolationOf(
  client: Client,
  roles: readonly string[] = [APPLICATION],
): Promise<Isolation> {
  for (const role of roles) {
    if (!(await mayTake(client, role)))
      return byQuery(`the role ${role} is missing or not granted to the owner`)
  }
  const { rows } = await client.query(
    'select rolname from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)',
    [[APPLICATION, DURABLE]],
  )
  if (rows.length === 0) return { by: 'roles' }
  throw new WaybillError(
    'configuration',
    `the role ${rows[0].rolname} can read the rows of every tenant`,
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

/** Creates missing roles, if the owner may. */
export async function ensureRoles(client: Client): Promise<Isolation> {
  for (const role of [APPLICATION, DURABLE]) {
    const isThere = await unlessForbidden(client, role, MADE, `create role ${role} nologin`)
    if (isThere) await unlessForbidden(client, role, TAKEABLE, `grant ${role} to session_user`)
  }
  return isolationOf(client, [APPLICATION, DURABLE])
}

const MADE = 'select 1 from pg_roles where rolname = $1'
/** Since version 16 membership does not imply the right to take a role. */
const TAKEABLE = `select 1 where case
  when to_regrole($1) is null then false
  when current_setting('server_version_num')::integer < 160000
    then pg_has_role(session_user, to_regrole($1), 'member')
  else pg_has_role(session_user, to_regrole($1), 'set') end`

/**
 * Runs a statement unless it is done; returns false without permission. Roles are shared by all databases of a server,
 * so migrations may race.
 */
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
      // Created or changed by another process.
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

/** The comment on the schema once the roles have all rights of these migrations. */
export function markOfRights(migrations: readonly string[]): string {
  const all = JSON.stringify([migrations, applicationRights(), QUEUE_RIGHTS])
  return `Rights ${createHash('sha256').update(all).digest('hex').slice(0, 16)}`
}

/** Grants the roles exactly the rights that they need; repeatable. */
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

/** Without roles, an index limits the database to one tenant. */
const ONE_TENANT = 'create unique index if not exists one_tenant on waybill.tenants ((true))'
const NOT_TO_ALL = `revoke all on schema waybill from public;
  revoke all on all tables in schema waybill from public;
  revoke all on all functions in schema waybill from public`

/** The error for a second tenant in a database without roles. */
export function severalTenants(cause?: unknown): WaybillError {
  return new WaybillError(
    'configuration',
    'this database isolates tenants by query only, so it can hold only one tenant',
    {
      hint: `migrate it with a login that may create the roles ${APPLICATION} and ${DURABLE}`,
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

/** The queue functions run with the rights of the queue's role. */
const QUEUE_RIGHTS = `grant usage, create on schema waybill to ${DURABLE};
  alter function waybill.enqueue_task(uuid, text, integer, bigint) owner to ${DURABLE};
  alter function waybill.dequeue_tasks(uuid, text[], integer[]) owner to ${DURABLE};
  revoke all on schema waybill from ${DURABLE}`
