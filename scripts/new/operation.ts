import { mustBeName, Refusal, titleOf, typeOf, writeNew } from './write.ts'

/** Files in the folder that are not operations. */
const TAKEN = ['index', 'operation', 'groups']

/** Scaffolds an operation: its declaration, output schema and renderer. */
export function newOperation(name: string): readonly string[] {
  mustBeName(name, 'an operation')
  if (TAKEN.includes(name))
    throw new Refusal(`'${name}' is not allowed as the name of an operation`)
  const type = `${typeOf(name)}Output`
  writeNew({
    [`src/operations/${name}.ts`]: declaration(name, type),
    [`src/operations/${name}/output.ts`]: output(name, type),
    [`src/cli/render/${name}.ts`]: rendering(name, type),
  })
  return [
    `write src/operations/${name}.ts, its output in src/operations/${name}/output.ts and src/cli/render/${name}.ts`,
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
      description: 'The path (default: this folder).',
    },
  },
} as const

/** ${titleOf(name)}: what the operation does. */
export default defineOperation({
  name: '${name}',
  summary: 'What it does, in one line that starts with a verb',
  description: 'Details that the user needs.',
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
    path: { type: 'string', description: 'The path.' },
  },
  additionalProperties: false,
  title: 'Output of waybill ${name}',
  description: 'What the output contains.',
} as const

/** The output of \`${name}\`. */
export type ${type} = TypeOf<typeof schema>
export default schema
`
}

function rendering(name: string, type: string): string {
  return `import type { ${type} } from '../../operations/${name}/output.ts'
import type { Style } from '../parse.ts'

/** Renders the output for people. */
export function text({ root, path }: ${type}, style: Style): string {
  return \`\${path} \${style('dim', \`(\${root})\`)}\`
}
`
}
