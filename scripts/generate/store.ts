import { migrationNames } from '../new/artifact.ts'
import { writeGenerated } from './write.ts'

interface MigrationFile {
  readonly artifact?: {
    readonly name: string
    readonly table: string
    readonly key: string
    readonly hasTask: boolean
  }
}

/** Writes the list of migrations, and the artifact tables that they declare. */
export async function generateStore(): Promise<void> {
  const names = migrationNames()
  writeGenerated('src/store/migrations.generated.ts', migrationList(names))
  const files: MigrationFile[] = []
  for (const name of names) files.push(await import(`../../src/store/migrations/${name}.ts`))
  writeGenerated('src/store/artifact-tables.generated.ts', artifactList(files))
}

function migrationList(names: readonly string[]): string {
  const imports = names.map(
    (name, i) => `import { statements as sql${i} } from './migrations/${name}.ts'`,
  )
  const rows = names.map((name, i) => `  ['${name}', sql${i}],`)
  return `${imports.join('\n')}

/** Every migration by name, in order. */
export const migrations: readonly (readonly [name: string, sql: string])[] = [
${rows.join('\n')}
]
`
}

function artifactList(files: readonly MigrationFile[]): string {
  const rows = files
    .flatMap(({ artifact }) => artifact ?? [])
    .map(
      ({ name, table, key, hasTask }) =>
        `  ${name}: { table: '${table}', key: '${key}', hasTask: ${hasTask} },`,
    )
  return `/** The table of each sort of artifact, by its schema name; \`key\` is the column that names one within its mission. */
export const artifactTables = {
${rows.join('\n')}
} as const
`
}
