import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Schema } from '../../src/contract/index.ts'
import { artifactTable, checkSql, type TableOptions, tableSql } from '../generate/sql/table.ts'
import { root } from '../generate/write.ts'
import { Refusal, read, writeNew } from './write.ts'

const MIGRATIONS = 'src/store/migrations'
/** Ids that name something else than the artifact itself. */
const NOT_ITS_OWN = new Set(['mission_id', 'task_id', 'tenant_id', 'actor_id'])

/**
 * Scaffolds one migration, made from the published schema of a contract: for a mission artifact without a table, its table;
 * for one whose schema has changed since, its check.
 */
export function newArtifact(given: string): readonly string[] {
  const [, name = '', version = 'v1'] = /^(.*?)(?:\.(v[1-9][0-9]*))?$/.exec(given) ?? []
  const published = `schemas/${name}.${version}.json`
  if (!existsSync(join(root, published)))
    throw new Refusal(`there is no ${published}: make the contract first, then npm run generate`)
  const schema = JSON.parse(read(published)) as Schema
  const made = migrationNames().filter(file => [name, `${name}-check`].includes(file.slice(5)))
  const file = `${MIGRATIONS}/${nextNumber()}-${name}${made.length > 0 ? '-check' : ''}.ts`
  const text =
    made.length > 0
      ? checkMigration(schema, made.at(-1) ?? '')
      : migrationOf(schema, { table: tableName(name), ...ownId(schema) })
  writeNew({ [file]: text })
  return [
    `look over ${file}: once released, it never changes again`,
    'npm run generate',
    'npx vitest run src/store --update',
  ]
}

function checkMigration(schema: Schema, last: string): string {
  const sql = checkSql(schema)
  if (read(`${MIGRATIONS}/${last}.ts`).includes(sql))
    throw new Refusal(`${MIGRATIONS}/${last}.ts is made from that schema already`)
  return `/** The check of the schema as it is now; made by \`npm run new artifact\`. What is stored already is not checked again. */
export const statements = String.raw\`
${inTemplate(sql)}
\`
`
}

/** The text of a migration that makes the table of an artifact. */
export function migrationOf(schema: Schema, options: TableOptions): string {
  const { name, table, key, hasTask } = artifactTable(schema, options)
  const sql = tableSql(schema, options)
  if (/`|\$\{/.test(sql)) throw new Error('the SQL cannot stand in a template')
  return `/** How artifacts of this sort are found. */
export const artifact = {
  name: '${name}',
  table: '${table}',
  key: '${key}',
  hasTask: ${hasTask},
} as const

/** Made from the published schema of the contract by \`npm run new artifact\`. */
export const statements = String.raw\`
${sql}
\`
`
}

function inTemplate(sql: string): string {
  if (/`|\$\{/.test(sql)) throw new Error('the SQL cannot stand in a template')
  return sql
}

/** The migrations that there are, in their order, without the ending of their files. */
export function migrationNames(): string[] {
  return readdirSync(join(root, MIGRATIONS))
    .filter(file => /^[0-9]{4}-[a-z0-9-]+\.ts$/.test(file))
    .map(file => file.slice(0, -'.ts'.length))
    .sort()
}

function nextNumber(): string {
  const last = migrationNames().at(-1) ?? '0000'
  return String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
}

function tableName(name: string): string {
  const plural = /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
  return `colony_${plural.replaceAll('-', '_')}`
}

function ownId({ required = [], properties = {} }: Schema): { readonly id?: string } {
  const isOwn = (key: string) =>
    key.endsWith('_id') && !NOT_ITS_OWN.has(key) && properties[key]?.type === 'string'
  const id = required.find(isOwn)
  return id === undefined ? {} : { id }
}
