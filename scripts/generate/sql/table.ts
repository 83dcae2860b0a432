import type { Schema } from '../../../src/contract/index.ts'
import { follow, type Node, typesOf } from '../schema-node.ts'
import { checkBody, quoted } from './check.ts'

/** Options of an artifact's table in addition to its schema. */
export interface TableOptions {
  /** Such as `colony_worker_results`. */
  readonly table: string
  /** The key of the artifact's id; a graph has none and is identified by its digest. */
  readonly id?: string
  /** Extra keys to index, in addition to ids, enums, times and booleans. */
  readonly columns?: readonly string[]
}

/** Metadata of an artifact's migration. */
export interface ArtifactTable {
  /** The value of `schema_name`. */
  readonly name: string
  readonly table: string
  /** The column that identifies an artifact within its mission. */
  readonly key: string
  readonly hasTask: boolean
}

const MISSIONS = 'waybill.colony_missions'
const TASKS = 'waybill.colony_tasks'
const SOURCE = 'coalesce(payload, tombstone)'

/** Finds the table of an artifact. */
export function artifactTable(
  schema: Schema,
  { table, id = 'digest' }: TableOptions,
): ArtifactTable {
  return { name: nameOf(schema), table, key: id, hasTask: isRequired(schema, 'task_id') }
}

/** The SQL of an artifact's table: its check, columns, keys and rights. */
export function tableSql(schema: Schema, options: TableOptions): string {
  const { table } = options
  if (!isRequired(schema, 'mission_id') || !isRequired(schema, 'created_at'))
    throw new Error(
      `${idOf(schema)} is not a mission artifact: mission_id and created_at are required`,
    )
  const about = [...BASE, ...columnsOf(schema, options)]
  return [
    checkSql(schema),
    `create table waybill.${table} (\n${indented(parts(schema, options)).join(',\n')}\n);`,
    `comment on table waybill.${table} is ${quoted(`${schema.description ?? ''} Append-only.`.trim())};`,
    ...about.map(
      column => `comment on column waybill.${table}.${column.name} is ${quoted(column.about)};`,
    ),
    ...constraintsOf(schema).map(
      ({ name, about }) => `comment on constraint ${name} on waybill.${table} is ${quoted(about)};`,
    ),
    guardSql(table),
  ].join('\n')
}

/** The columns of every artifact, in addition to those generated from its payload. */
const BASE = [
  {
    name: 'tenant_id',
    about: 'Whose row it is; the tenant of the transaction where nothing is said.',
  },
  { name: 'digest', about: 'Hex SHA-256 of the canonical JSON of the payload.' },
  { name: 'payload', about: 'The artifact, as canonical JSON; nothing once it is erased.' },
  {
    name: 'tombstone',
    about: 'What stays of an erased payload, and when, by whom and why it was erased.',
  },
  { name: 'recorded_at', about: 'When the database took it.' },
] as const

interface Constraint {
  readonly name: string
  readonly check: string
  readonly about: string
}

function constraintsOf(schema: Schema): Constraint[] {
  const name = nameOf(schema)
  return [
    { name: 'tenant_is_named', check: "tenant_id <> ''", about: 'The tenant has a name.' },
    {
      name: 'digest_is_sha256',
      check: "digest ~ '^[0-9a-f]{64}$'",
      about: 'The digest is 64 hexadecimal digits in lower case.',
    },
    {
      name: `${name}_is_sound`,
      check: `coalesce(case when payload is null then waybill.is_tombstone(tombstone) else tombstone is null and waybill.is_${name}(payload) end, false)`,
      about: `The payload has the structure that ${idOf(schema)} asks for, or a tombstone stands in its place.`,
    },
    {
      name: `${name}_is_of_its_tenant`,
      check: "coalesce(payload ->> 'tenant_id', tenant_id) = tenant_id",
      about: 'Where the payload names a tenant, it is the one whose row it is.',
    },
  ]
}

/** The SQL of the function that returns whether a payload has the structure of an artifact. */
export function checkSql(schema: Schema): string {
  const name = nameOf(schema)
  return `create or replace function waybill.is_${name}(payload jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $check$
${checkBody(schema)}
$check$;
comment on function waybill.is_${name}(jsonb) is ${quoted(`Whether a payload has the structure that ${idOf(schema)} asks for.`)};`
}

/** The SQL that keeps a table append-only and limits each tenant to its own rows. */
function guardSql(table: string): string {
  return `alter table waybill.${table} enable row level security;
alter table waybill.${table} force row level security;
create policy own_tenant on waybill.${table}
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_removal before delete or truncate on waybill.${table}
  for each statement execute function waybill.refuse_change();
create trigger only_erasure after update on waybill.${table}
  for each row execute function waybill.refuse_all_but_erasure();`
}

interface Column {
  readonly name: string
  readonly type: string
  readonly value: string
  readonly about: string
}

function parts(schema: Schema, options: TableOptions): string[] {
  const isMission = `waybill.${options.table}` === MISSIONS
  const hasTask = isRequired(schema, 'task_id')
  const own = options.id ?? 'digest'
  return [
    "tenant_id text not null default current_setting('waybill.tenant', true)",
    'digest text not null',
    'payload jsonb',
    'tombstone jsonb',
    'recorded_at timestamptz not null default clock_timestamp()',
    ...columnsOf(schema, options).map(
      column =>
        `${column.name} ${column.type} not null generated always as (${column.value}) stored`,
    ),
    `primary key (${[...new Set(['tenant_id', 'mission_id', own])].join(', ')})`,
    ...(isMission ? [] : [`foreign key (tenant_id, mission_id) references ${MISSIONS}`]),
    ...(hasTask ? [`foreign key (tenant_id, mission_id, task_id) references ${TASKS}`] : []),
    ...constraintsOf(schema).map(({ name, check }) => `constraint ${name} check (${check})`),
  ]
}

function columnsOf(schema: Schema, { columns = [], id }: TableOptions): Column[] {
  const keys = Object.keys(schema.properties ?? {}).filter(key => isRequired(schema, key))
  return keys.flatMap(key => {
    const node = follow(schema, schema.properties?.[key] ?? {})
    const isNamed = ['mission_id', 'task_id', id, ...columns].includes(key)
    const type = columnType(key, node)
    if (type === undefined || (!isNamed && !isQueried(node))) return []
    return [{ name: key, type, value: columnValue(key, type), about: node.description ?? key }]
  })
}

/** Enums, times and booleans get columns for filtering and sorting. */
function isQueried(node: Node): boolean {
  return node.enum !== undefined || node.format === 'date-time' || typesOf(node)[0] === 'boolean'
}

function columnType(key: string, node: Node): string | undefined {
  if (node.const !== undefined) return undefined
  if (key === 'mission_id') return 'uuid'
  if (node.format === 'date-time') return 'timestamptz'
  const [type = 'string', ...more] = typesOf(node)
  if (more.length > 0) return undefined
  return { string: 'text', boolean: 'boolean', integer: 'bigint' }[type]
}

function columnValue(key: string, type: string): string {
  const text = `${SOURCE} ->> ${quoted(key)}`
  if (type === 'text') return text
  return type === 'timestamptz' ? `waybill.instant(${text})` : `(${text})::${type}`
}

function isRequired({ required = [] }: Schema, key: string): boolean {
  return required.includes(key)
}

function nameOf(schema: Schema): string {
  const name = (schema.properties?.schema_name as Node | undefined)?.const
  if (typeof name === 'string' && /^[a-z][a-z0-9_]*$/.test(name)) return name
  throw new Error(`${idOf(schema)} does not declare its schema_name`)
}

function idOf(schema: Schema): string {
  const { $id = 'the schema' } = schema as { $id?: string }
  return $id.replace('urn:waybill:schema:', '')
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => `  ${line}`)
}
