import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../generate/write.ts'
import { type Files, mustBeName, Refusal, titleOf, typeOf, writeNew } from './write.ts'

/** Scaffolds a contract: a folder of files that type-check, generate and pass. */
export function newContract(given: string): readonly string[] {
  const [, name = '', version = 'v1'] = /^(.*?)(?:\.(v[1-9][0-9]*))?$/.exec(given) ?? []
  mustBeName(name, 'a contract')
  const id = `${name}.${version}`
  if (existsSync(join(root, 'src/contracts', id)))
    throw new Refusal(`the contract ${id} already exists`)
  const files = { ...sources(name, id), ...texts(name, id), ...fixtures(name) }
  writeNew(
    Object.fromEntries(
      Object.entries(files).map(([file, text]) => [`src/contracts/${id}/${file}`, text]),
    ),
  )
  return [
    `edit the files in src/contracts/${id}/ as their first lines describe`,
    'npm run generate',
    `npx vitest run test/fixtures.test.ts -t '${id}' --update`,
  ]
}

function sources(name: string, id: string): Files {
  const [title, type, declared] = [titleOf(name), typeOf(name), name.replaceAll('-', '_')]
  return {
    'contract.ts': `import { defineContract } from '../../contract/index.ts'
import type { ${type} } from './schema.ts'

/** ${title}: what one agent or session hands to the next. */
export default defineContract<${type}>({
  id: '${id}',
  title: '${title}',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === '${declared}',
    keys: ['schema_name', 'summary'],
  },
  header: v => ({ id: v.id, from: v.from, to: v.to, createdAt: v.created_at }),
})
`,
    'schema.ts': `import Type, { type Static } from 'typebox'
import { Time, Words } from '../shapes.ts'

const schema = Type.Object(
  {
    schema_name: Type.Literal('${declared}', { description: 'The type of the document.' }),
    id: Words('The id of the document.'),
    from: Words('The sender.'),
    to: Type.Optional(Words('The recipient.')),
    created_at: Time('When it was written.'),
    summary: Words('What is handed over, in a sentence.'),
  },
  {
    additionalProperties: false,
    title: '${title}',
    description: 'What one agent or session hands to the next.',
  },
)

/** What one agent or session hands to the next. */
export type ${type} = Static<typeof schema>
export default schema
`,
    'rules.ts': `import type { Rules } from '../../contract/index.ts'
import { noFutureTimes } from '../times.ts'
import type { ${type} } from './schema.ts'

/** The rules of a ${title.toLowerCase()} beyond its structure. */
export const rules = {
  'no-future-times': noFutureTimes('/created_at'),
} satisfies Rules<${type}>
`,
  }
}

function texts(name: string, id: string): Files {
  const prefix = name
    .split('-')
    .map(word => word.slice(0, 1).toUpperCase())
    .join('')
  return {
    'README.md': `# ${titleOf(name)}

What it is for, who writes it and who reads it.

\`\`\`json
${example(name, NOW).trim()}
\`\`\`

## Fields

<!-- fields -->
<!-- /fields -->

## Rules

<!-- rules -->
<!-- /rules -->
`,
    'requirements.yaml': `# Every normative sentence of the source of ${id}, in our own words, and the rulings on it.
- id: ${prefix}-001
  level: MUST
  source: The document
  text: It says which document it is, who wrote it, when, and what is handed over.
  check:
    - schema/required /schema_name
    - schema/required /id
    - schema/required /from
    - schema/required /created_at
    - schema/required /summary
- id: ${prefix}-002
  level: MUST
  source: "Ruling: Timestamps"
  text: The time at which it was written is not more than five minutes after now.
  check: ${name}/no-future-times
`,
  }
}

/** Fixtures are checked at noon of 1 June 2026 unless they say otherwise. */
const NOW = '2026-06-01T12:00:00Z'

function fixtures(name: string): Files {
  return {
    'fixtures/valid/example.json': example(name, NOW),
    'fixtures/valid/no-future-times.json': example(name, '2026-06-01T12:05:00Z'),
    'fixtures/invalid/no-future-times.json': example(name, '2026-06-01T12:05:01Z'),
    'fixtures/invalid/schema-required.json': `${JSON.stringify({ schema_name: name.replaceAll('-', '_') }, null, 2)}\n`,
  }
}

function example(name: string, created: string): string {
  const value = {
    schema_name: name.replaceAll('-', '_'),
    id: `${name}-1`,
    from: 'planner',
    to: 'worker',
    created_at: created,
    summary: 'Half of the parcels are scanned twice.',
  }
  return `${JSON.stringify(value, null, 2)}\n`
}
