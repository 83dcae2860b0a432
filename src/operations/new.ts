import { relative, resolve, sep } from 'node:path'
import { type Contract, nearest, quote, spelled } from '../contract/index.ts'
import { contracts, findContract, loadContract } from '../contracts/index.ts'
import { maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { pathFromRoot, userName } from '../workspace/index.ts'
import type { DiagnosticForPeople } from './check/report.ts'
import { checkForPeople } from './check.ts'
import { answersIn } from './new/answers.ts'
import { type Content, readContent } from './new/content.ts'
import { makeFields } from './new/fields.ts'
import { makeHandoff } from './new/handoff.ts'
import { endingsIn } from './new/in-force.ts'
import { HANDOFF_INPUT } from './new/input.ts'
import type { Made } from './new/made.ts'
import type { NewOutput } from './new/output.ts'
import { draftPath, freePath, pathWithin, withoutDraft, writeNew } from './new/place.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { cleanse, visible } from './show/cleanse.ts'

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

/** The output of `new` for people. */
export interface NewForPeople extends NewOutput {
  readonly diagnostics: readonly DiagnosticForPeople[]
}

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

function plain({ excerpt: _, why: __, ...diagnostic }: DiagnosticForPeople) {
  return diagnostic
}

async function create(given: Input, app: App): Promise<NewForPeople> {
  const contract = mustFind(given.contract)
  return createFrom(await readContent(given.from, contract, app), contract, given, app)
}

/** Writes a document from content that was read. */
export async function createFrom(
  content: Content,
  contract: Contract,
  given: Omit<Input, 'contract'>,
  app: App,
): Promise<NewForPeople> {
  const { dryRun = false } = given
  const path = given.file === undefined ? undefined : pathWithin(given.file, app)
  if (path !== undefined) mustFit(path, contract)
  if (content.kind === 'faulty') return unreadable(given, contract, path, content.diagnostics)
  const wanted = await make(content, contract, given, path, app)
  const made = placed(wanted, given.draft ?? false, app)
  const diagnostics = await check(made, contract, app)
  const accepted = made.missing.length === 0 && !diagnostics.some(d => d.severity === 'error')
  const draft = given.draft ?? (!accepted && !dryRun && (await isKept(app)))
  const { isFixed, text, ...output } = made
  const target = draft ? draftPath(made.path) : made.path
  const written = dryRun || !(accepted || draft) ? undefined : writeNew(target, text, isFixed, app)
  return {
    // Open items may contain credentials.
    ...cleanse(output, text),
    contract: contract.name,
    path: written ?? target,
    accepted,
    created: written !== undefined,
    draft,
    dryRun,
    text: accepted ? text : draft ? maskSecrets(text) : null,
    diagnostics,
  }
}

/** Offers to keep what the user typed. */
async function isKept({ ask }: App): Promise<boolean> {
  const answer = await ask?.('The document has errors. Keep it as a draft? y(es) or n(o)\n> ')
  return /^y/i.test(answer ?? '')
}

/** Resolves the final name first: a taken name may change what the check finds. */
function placed(made: Made, draft: boolean, app: App): Made {
  const free = freePath(draft ? draftPath(made.path) : made.path, made.isFixed, app)
  return { ...made, path: draft ? withoutDraft(free) : free }
}

function mustFind(name: string): Contract {
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

const ENDINGS = { json: /\.json$/i, yaml: /\.ya?ml$/i, markdown: /\.(?:md|markdown)$/i } as const

function mustFit(path: string, { name, formats }: Contract): void {
  if (formats.some(format => ENDINGS[format].test(path))) return
  throw new WaybillError('usage', `a ${name} cannot be written to ${path}`, {
    hint: `use a file name that ends in ${formats.join(' or ')}`,
  })
}

async function make(
  content: Exclude<Content, { kind: 'faulty' }>,
  contract: Contract,
  given: Omit<Input, 'contract'>,
  path: string | undefined,
  app: App,
): Promise<Made> {
  const { agent, to, session, adr, branch, slug, continues, carry = [], draft = false } = given
  const who = {
    agent: agent ?? userName(app.root),
    agentFrom: agent === undefined ? 'your name' : '--agent',
    to,
    session,
  }
  if (content.kind === 'handoff') {
    const note = contract.name === 'handoff-note'
    const answers = [...content.answers, ...answersIn(carry)]
    const { supersede = [], by } = given
    const ends = { supersede: endingsIn(supersede), by }
    const source = given.from === undefined ? undefined : pathFromRoot(given.from, app)
    const wish = { ...who, ...ends, path, adr, branch, slug, continues, source, draft, note }
    return makeHandoff(content.content, answers, wish, app)
  }
  if (carry.length > 0 || (given.supersede ?? []).length > 0)
    throw new WaybillError('usage', 'only a handoff document or note can carry or supersede items')
  const { schema } = await loadContract(contract)
  const folder = relative(app.root, app.cwd).split(sep).join('/')
  return makeFields(contract, schema, content.value, { ...who, path, folder, draft }, app)
}

/** Runs the full `waybill check` on the text before it is written. */
async function check(
  { text, path }: Made,
  contract: Contract,
  app: App,
): Promise<readonly DiagnosticForPeople[]> {
  const bytes = new TextEncoder().encode(text)
  const { documents } = await checkForPeople(
    { paths: ['-'], stdinPath: resolve(app.root, path), contract: contract.name },
    { ...app, stdin: async () => bytes },
  )
  return documents.find(d => !d.path.includes('#L'))?.diagnostics ?? []
}

function unreadable(
  { draft = false, dryRun = false, from = '' }: Omit<Input, 'contract'>,
  { name }: Contract,
  path: string | undefined,
  diagnostics: NewOutput['diagnostics'],
): NewForPeople {
  return {
    contract: name,
    path: path ?? from,
    accepted: false,
    created: false,
    draft,
    dryRun,
    text: null,
    known: [],
    missing: [],
    predecessor: null,
    carried: [],
    notes: [],
    diagnostics,
    inForce: [],
    conflicts: [],
  }
}
