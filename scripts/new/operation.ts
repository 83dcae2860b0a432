import { mustBeName, Refusal, titleOf, typeOf, writeNew } from './write.ts'

/** Files beside the operations that are none. */
const TAKEN = ['index', 'operation']

/** Scaffolds an operation: its declaration and how people read its result. */
export function newOperation(name: string): readonly string[] {
  mustBeName(name, 'an operation')
  if (TAKEN.includes(name)) throw new Refusal(`no operation can be called '${name}'`)
  const type = `${typeOf(name)}Output`
  writeNew({
    [`src/operations/${name}.ts`]: declaration(name, type),
    [`src/cli/render/${name}.ts`]: rendering(name, type),
  })
  return [
    `write src/operations/${name}.ts and src/cli/render/${name}.ts, and a test beside the first`,
    'npm run generate',
    `node src/cli/waybill.ts ${name} --help`,
  ]
}

function declaration(name: string, type: string): string {
  return `import { type App, defineOperation } from './operation.ts'

/** What \`${name}\` answers. */
export interface ${type} {
  readonly root: string
  readonly path: string
}

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

function rendering(name: string, type: string): string {
  return `import type { ${type} } from '../../operations/${name}.ts'
import type { Style } from '../parse.ts'

/** The answer as people read it. */
export function text({ root, path }: ${type}, style: Style): string {
  return \`\${path} \${style('dim', \`(\${root})\`)}\`
}
`
}
