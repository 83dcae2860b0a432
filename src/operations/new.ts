import { relative, resolve, sep } from 'node:path'
import { type Contract, nearest, quote, spelled } from '../contract/index.ts'
import { contracts, findContract, loadContract } from '../contracts/index.ts'
import { maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { userName } from '../workspace/index.ts'
import type { DiagnosticForPeople } from './check/report.ts'
import { checkForPeople } from './check.ts'
import { answersIn } from './new/answers.ts'
import { type Content, readContent } from './new/content.ts'
import { makeFields } from './new/fields.ts'
import { makeHandoff } from './new/handoff.ts'
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
      description: 'What is to be made, such as handoff-document.',
    },
    file: {
      type: 'string',
      positional: true,
      path: true,
      makes: true,
      description: 'Where it is to stand (default: a name and place that fit).',
    },
    from: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'Its content, as JSON or YAML, for a handoff also Markdown; - is standard input.',
    },
    agent: {
      type: 'string',
      placeholder: 'name',
      description: 'Who writes it (default: your name).',
    },
    to: {
      type: 'string',
      placeholder: 'agent',
      description: 'The agent that it is handed to.',
    },
    session: {
      type: 'string',
      placeholder: 'id',
      description: 'The session that it belongs to.',
    },
    adr: {
      type: 'string',
      placeholder: 'id',
      description: 'The decision record that a handoff belongs to, such as ADR-0.0.25.',
    },
    slug: {
      type: 'string',
      placeholder: 'words',
      description: 'What a handoff is about, for the name of its file.',
    },
    continues: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The handoff that this one carries on (default: the newest); none for none.',
    },
    carry: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'n=outcome:why',
      description:
        'What became of something left open: its number, kept, done or superseded, and why.',
    },
    draft: {
      type: 'boolean',
      description:
        'Write it as a draft whatever is wrong with it, with marks where something is missing.',
    },
    dryRun: { type: 'boolean', description: 'Print it, and write nothing.' },
  },
} as const

type Input = TypeOf<typeof input>

/** What `new` answers when people read it. */
export interface NewForPeople extends NewOutput {
  readonly diagnostics: readonly DiagnosticForPeople[]
}

/** Makes a document of any contract from what is known and what is given. */
export default defineOperation({
  name: 'new',
  summary: 'Make a document from what is known and what is given',
  description:
    'Branch, time, author, predecessor, open mission and the agents of the manifest are filled in; what is given is ' +
    'never overwritten. A document that would not pass waybill check is not written: what is wrong and what is ' +
    'missing is told instead. A handoff links the newest one of its decision record and carries on what that left ' +
    'open, item by item; what nobody speaks of is kept. Nothing existing is overwritten.',
  examples: [
    {
      command: 'waybill new handoff-document --from notes.md',
      does: 'hand over what stands in notes.md',
    },
    {
      command: 'waybill new handoff-document --from - --carry "1=done:merged"',
      does: 'from standard input; the first item left open is done',
    },
    { command: 'waybill new handoff-document --draft', does: 'write a skeleton to be filled in' },
    {
      command: 'waybill new session-context --draft --dry-run',
      does: 'print a skeleton of a context',
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

/** The same with the reason beside each diagnostic. */
export async function createForPeople(given: Input, app: App): Promise<NewForPeople> {
  const output = await create(given, app)
  // A dry run prints the document alone, and these are needed to answer by number.
  if (output.dryRun && output.text !== null)
    for (const { number, outcome, text } of output.carried)
      app.tell?.(`${number} ${outcome}: ${spelled(text.replace(/\s+/g, ' '))}`)
  return { ...output, text: output.text === null ? null : visible(output.text) }
}

function plain({ excerpt: _, why: __, ...diagnostic }: DiagnosticForPeople) {
  return diagnostic
}

async function create(given: Input, app: App): Promise<NewForPeople> {
  const { dryRun = false } = given
  const contract = mustFind(given.contract)
  const path = given.file === undefined ? undefined : pathWithin(given.file, app)
  if (path !== undefined) mustFit(path, contract)
  const content = await readContent(given.from, contract, app)
  if (content.kind === 'faulty') return unreadable(given, contract, path, content.diagnostics)
  const wanted = await make(content, contract, given, path, app)
  const made = placed(wanted, given.draft ?? false, app)
  const diagnostics = await check(made, contract, app)
  const accepted = made.missing.length === 0 && !diagnostics.some(d => d.severity === 'error')
  const draft = given.draft ?? (!accepted && !dryRun && (await isKept(app)))
  const { isFixed, text, ...told } = made
  const target = draft ? draftPath(made.path) : made.path
  const written = dryRun || !(accepted || draft) ? undefined : writeNew(target, text, isFixed, app)
  return {
    // What a predecessor says may hold what must not be repeated.
    ...cleanse(told, text),
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

/** Nobody should have to type again what they were asked for. */
async function isKept({ ask }: App): Promise<boolean> {
  const answer = await ask?.(
    'This would not be accepted yet. Keep it as a draft? y(es) or n(o)\n> ',
  )
  return /^y/i.test(answer ?? '')
}

/** What is checked is what would be written, also by its name: one that is taken may mean another document. */
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
    hint: `it is written in ${formats.join(' or ')}: name a file with that ending`,
  })
}

async function make(
  content: Exclude<Content, { kind: 'faulty' }>,
  contract: Contract,
  given: Input,
  path: string | undefined,
  app: App,
): Promise<Made> {
  const { agent, to, session, adr, slug, continues, carry = [], draft = false } = given
  const who = {
    agent: agent ?? userName(app.root),
    agentFrom: agent === undefined ? 'your name' : '--agent',
    to,
    session,
  }
  if (content.kind === 'handoff') {
    const answers = [...content.answers, ...answersIn(carry)]
    return makeHandoff(content.content, answers, { ...who, path, adr, slug, continues, draft }, app)
  }
  if (carry.length > 0)
    throw new WaybillError('usage', 'only a handoff document carries something over')
  const { schema } = await loadContract(contract)
  const folder = relative(app.root, app.cwd).split(sep).join('/')
  return makeFields(contract, schema, content.value, { ...who, path, folder, draft }, app)
}

/** The full check of what would be written, exactly as `waybill check` does it. */
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
  { draft = false, dryRun = false, from = '' }: Input,
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
  }
}
