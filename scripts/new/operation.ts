import { mustBeName, Refusal, titleOf, typeOf, writeNew } from './write.ts'

/** Files beside the operations that are none. */
const TAKEN = ['index', 'operation', 'groups']

/** Scaffolds an operation: its declaration, the schema of what it answers and how people read that. */
export function newOperation(name: string): readonly string[] {
  mustBeName(name, 'an operation')
  if (TAKEN.includes(name)) throw new Refusal(`no operation can be called '${name}'`)
  const type = `${typeOf(name)}Output`
  writeNew({
    [`src/operations/${name}.ts`]: declaration(name, type),
    [`src/operations/${name}/output.ts`]: output(name, type),
    [`src/cli/render/${name}.ts`]: rendering(name, type),
  })
  return [
    `write src/operations/${name}.ts, what it answers in src/operations/${name}/output.ts and src/cli/render/${name}.ts`,
    `write src/operations/${name}.test.ts, and a call in test/outputs.test.ts`,
    'npm run generate',
    `node src/cli/waybill.ts ${name} --help`,
  ]
}

function declaration(name: string, type: string): string {
  return `import { type App, defineOperation } from './operation.ts'
import type { ${type} } from './${name}/output.ts'

const input = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      positional: true,
      description: 'What it is about (default: this folder).',
    },
  },
} as const

/** ${titleOf(name)}: the one thing that it does. */
export default defineOperation({
  name: '${name}',
  summary: 'What it does, in a line that begins with a verb',
  description: 'What its reader has to know beyond that.',
  examples: [{ command: 'waybill ${name}', does: 'the most common call' }],
  actor: 'any',
  effect: 'read',
  input,
  run: ({ path }, app) => run(path, app),
})

async function run(path = '.', { root }: App): Promise<${type}> {
  return { root, path }
}
`
}

function output(name: string, type: string): string {
  return `import type { TypeOf } from '../operation.ts'

const schema = {
  type: 'object',
  required: ['root', 'path'],
  properties: {
    root: { type: 'string', description: 'The root of the repository, absolute.' },
    path: { type: 'string', description: 'What it was about.' },
  },
  additionalProperties: false,
  title: 'Output of waybill ${name}',
  description: 'What its reader learns from it.',
} as const

/** What \`${name}\` answers. */
export type ${type} = TypeOf<typeof schema>
export default schema
`
}

function rendering(name: string, type: string): string {
  return `import type { ${type} } from '../../operations/${name}/output.ts'
import type { Style } from '../parse.ts'

/** The answer as people read it. */
export function text({ root, path }: ${type}, style: Style): string {
  return \`\${path} \${style('dim', \`(\${root})\`)}\`
}
`
}
