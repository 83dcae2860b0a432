import pg from 'pg'
import { code, page, prose, table } from '../docs/markdown.ts'

/** Writes the reference page of a live database: tables, columns, constraints, rights and functions. */
export async function databasePage(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const read = async <Row>(sql: string) => (await client.query(sql)).rows as Row[]
    const [tables, columns, constraints, functions] = [
      await read<Table>(TABLES),
      await read<Column>(COLUMNS),
      await read<Constraint>(CONSTRAINTS),
      await read<Named>(FUNCTIONS),
    ]
    const sections = tables.flatMap(found => tableSection(found, columns, constraints))
    return page(HEAD, ...sections, '## Functions', functionTable(functions))
  } finally {
    await client.end()
  }
}

interface Named {
  readonly name: string
  readonly about: string | null
}
interface Table extends Named {
  readonly rights: string | null
  readonly isolated: boolean
}
interface Column extends Named {
  readonly table: string
  readonly type: string
  readonly required: boolean
  readonly made: string | null
  readonly generated: boolean
}
interface Constraint extends Named {
  readonly table: string
  readonly kind: 'p' | 'f' | 'u' | 'c'
  readonly columns: readonly string[]
  readonly other: string | null
}

const HEAD = `<!-- Read from a live database by \`npx vitest run src/store/reference.test.ts --update\`; change the migrations instead. -->

# Database

The tables of missions, in the schema \`waybill\`. Every migration is a file in \`src/store/migrations\`; what has been
released never changes. The queue keeps its own tables in the schema \`dbos\`.

**Roles.** The owner migrates and erases. The application uses \`waybill_app\`, which reads and adds, and sees the
rows of one tenant at a time. The queue uses \`waybill_durable\`, which has rights only in the schema \`dbos\`.
If the owner may not create roles, the database supports one tenant, and \`waybill doctor\` reports it.

**Tenants.** A transaction sets its tenant in \`waybill.tenant\`; without it no rows are visible. Every key contains the
tenant, because foreign keys bypass row-level security. This protects against a forgotten filter, not against anyone
who has the application's password. PostgreSQL shows every role the total row count of a table.

**Append-only.** Artifacts are added and never changed, not even by the owner. Only \`waybill.erase\` removes a payload,
and leaves its digest and a tombstone. The database does not verify digests, or that the artifact of a \`task_outputs\`
row exists: the application states them, and \`waybill mission replay\` verifies them.`

function tableSection(
  { name, about, rights, isolated }: Table,
  columns: readonly Column[],
  constraints: readonly Constraint[],
): string[] {
  const own = constraints.filter(constraint => constraint.table === name)
  const rows = columns.filter(column => column.table === name)
  return [
    `## ${name}`,
    `${prose(about ?? '')} ${shownTo(isolated, rights)}`.trim(),
    table(
      ['Column', 'Type', 'Required', 'Source', 'Description'],
      rows.map(column => [
        code(column.name),
        column.type,
        column.required ? 'yes' : 'no',
        madeFrom(column),
        prose(column.about ?? ''),
      ]),
    ),
    own.map(constraint => `- ${inWords(constraint)}`).join('\n'),
    rights === null ? '' : `The application may ${rights}.`,
  ]
}

function shownTo(isIsolated: boolean, rights: string | null): string {
  if (isIsolated) return 'Each tenant sees its own rows.'
  return rights === null ? 'For the owner only.' : 'It belongs to no tenant.'
}

function madeFrom({ made, generated }: Column): string {
  if (made === null) return ''
  const key = /->> '([a-z_]+)'/.exec(made)?.[1]
  if (generated) return key === undefined ? code(made) : `\`${key}\` of the payload`
  return `${code(made)} unless given`
}

function inWords({ kind, columns, other, about, name }: Constraint): string {
  const listed = columns.map(code).join(', ')
  switch (kind) {
    case 'p':
      return `One row for each ${listed}.`
    case 'u':
      return `Unique: ${listed}.`
    case 'f':
      return `${listed} references \`${other ?? ''}\`.`
    case 'c':
      return `${prose(about ?? '')} (\`${name}\`)`
  }
}

function functionTable(functions: readonly Named[]): string {
  return table(
    ['Function', 'Description'],
    functions.map(({ name, about }) => [code(name), prose(about ?? '')]),
  )
}

const OURS = "'waybill'::regnamespace"

const TABLES = `select relname as name, obj_description(oid, 'pg_class') as about, relrowsecurity as isolated,
    nullif(concat_ws(' and ',
      case when has_table_privilege('waybill_app', oid, 'select') then 'read' end,
      case when has_any_column_privilege('waybill_app', oid, 'insert') then 'add' end,
      case when has_any_column_privilege('waybill_app', oid, 'update') then 'change' end,
      case when has_table_privilege('waybill_app', oid, 'delete') then 'remove' end), '') as rights
  from pg_class where relnamespace = ${OURS} and relkind = 'r' and relname not like 'migration%'
  order by relname`

const COLUMNS = `select attrelid::regclass::text as "table", attname as name, format_type(atttypid, null) as type,
    attnotnull as required, attgenerated <> '' as generated,
    pg_get_expr(adbin, adrelid) as made, col_description(attrelid, attnum) as about
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid in (select oid from pg_class where relnamespace = ${OURS} and relkind = 'r')
    and attnum > 0 and not attisdropped
  order by attnum`

const CONSTRAINTS = `select c.conrelid::regclass::text as "table", conname as name, contype as kind,
    confrelid::regclass::text as other, obj_description(c.oid, 'pg_constraint') as about,
    array(select attname::text from unnest(conkey) with ordinality as k (n, i)
      join pg_attribute on attrelid = conrelid and attnum = n order by i) as columns
  from pg_constraint c where connamespace = ${OURS} and contype in ('p', 'f', 'u', 'c')
  order by array_position(array['p', 'u', 'f', 'c']::"char"[], contype), conname`

const FUNCTIONS = `select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name,
    obj_description(oid, 'pg_proc') as about
  from pg_proc where pronamespace = ${OURS} order by proname`
