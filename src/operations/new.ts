import { nearest, quote, spelled } from '../contract/index.ts'
import { contracts, findContract } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { readContent } from './new/content.ts'
import { createFrom } from './new/create.ts'
import { withoutTarget } from './new/for-agents.ts'
import type { NewForPeople } from './new/for-people.ts'
import { HANDOFF_INPUT } from './new/input.ts'
import type { NewOutput } from './new/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { visible } from './show/cleanse.ts'

const input = {
  type: 'object',
  required: ['contract'],
  properties: {
    contract: {
      type: 'string',
      positional: true,
      description: 'The contract of the document, such as handoff-document.',
    },
    file: {
      type: 'string',
      positional: true,
      path: true,
      makes: true,
      description: 'The file to write (default: a fitting name and folder).',
    },
    ...HANDOFF_INPUT,
    to: {
      type: 'string',
      placeholder: 'agent',
      description: 'The agent that receives it.',
    },
    dryRun: { type: 'boolean', description: 'Print the document and write nothing.' },
  },
} as const

type Input = TypeOf<typeof input>

/** Writes a document of any contract from repository facts and given content. */
export default defineOperation({
  name: 'new',
  summary: 'Write a new document and fill in what is known',
  description:
    'Fills in the branch, time, author, predecessor, open mission and agents of the manifest; given content is never ' +
    'overwritten. A document that would not pass waybill check is not written: its errors and missing parts are printed ' +
    'instead. A handoff continues the newest one of its decision record and carries over its open items; items that you ' +
    'do not mention stay open. It carries every rule in force; decisions and facts hold without being repeated. Existing files are never overwritten. Exits with 1 when the document is refused.',
  examples: [
    {
      command: 'waybill new handoff-document --from notes.md',
      does: 'write a handoff from notes.md',
    },
    {
      command: 'waybill new handoff-note --from notes.md',
      does: 'write a note, which needs no decision record',
    },
    {
      command: 'waybill new handoff-document --from - --carry "1=done:merged"',
      does: 'read the content from standard input and mark the first open item as done',
    },
    {
      command: "waybill new handoff-document --from notes.md --supersede 'D-012=the API is gone'",
      does: 'end a decision; a rule also needs --by <person>',
    },
    { command: 'waybill new handoff-document --draft', does: 'write a skeleton to fill in' },
    {
      command: 'waybill new session-context --draft --dry-run',
      does: 'print a skeleton of a session context',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: async (given, app): Promise<NewOutput> => {
    const output = await create(given, app)
    return { ...output, diagnostics: output.diagnostics.map(plain) }
  },
  forAgents: withoutTarget,
  failed: ({ accepted, draft }) => !accepted && !draft,
})

/** Like `new`, with the reason for each diagnostic. */
export async function createForPeople(given: Input, app: App): Promise<NewForPeople> {
  const output = await create(given, app)
  // A dry run prints only the document; the numbers are needed to answer the items.
  if (output.dryRun && output.text !== null)
    for (const { number, outcome, text } of output.carried)
      app.tell?.(`${number} ${outcome}: ${spelled(text.replace(/\s+/g, ' '))}`)
  return { ...output, text: output.text === null ? null : visible(output.text) }
}

function plain({ excerpt: _, why: __, ...diagnostic }: NewForPeople['diagnostics'][number]) {
  return diagnostic
}

async function create(given: Input, app: App): Promise<NewForPeople> {
  const contract = mustFind(given.contract)
  return createFrom(await readContent(given.from, contract, app), contract, given, app)
}

function mustFind(name: string) {
  const contract = findContract(name)
  if (contract) return contract
  const meant = nearest(
    name,
    contracts.map(c => c.name),
  )
  throw new WaybillError('not-found', `there is no contract ${quote(name)}`, {
    hint: meant ? `did you mean ${meant}?` : 'waybill schema lists the contracts',
  })
}
