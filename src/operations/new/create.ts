import { relative, sep } from 'node:path'
import type { Contract } from '../../contract/index.ts'
import { loadContract } from '../../contracts/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { pathFromRoot, userName } from '../../workspace/index.ts'
import type { App, TypeOf } from '../operation.ts'
import { cleanse } from '../show/cleanse.ts'
import { answersIn } from './answers.ts'
import type { Content } from './content.ts'
import { makeFields } from './fields.ts'
import type { NewForPeople } from './for-people.ts'
import { makeHandoff } from './handoff.ts'
import { endingsIn } from './in-force.ts'
import type { HANDOFF_INPUT } from './input.ts'
import { checkText } from './judge.ts'
import type { Made } from './made.ts'
import type { NewOutput } from './output.ts'
import { draftPath, freePath, pathWithin, withoutDraft, writeNew } from './place.ts'
import { forgetAnswers } from './typed-answers.ts'

/** What the caller gives in addition to the content. */
export interface CreateRequest extends TypeOf<{ readonly properties: typeof HANDOFF_INPUT }> {
  readonly file?: string
  readonly to?: string
  readonly dryRun?: boolean
}

/** Writes a document from content that was read. */
export async function createFrom(
  content: Content,
  contract: Contract,
  given: CreateRequest,
  app: App,
): Promise<NewForPeople> {
  const { dryRun = false } = given
  const path = given.file === undefined ? undefined : pathWithin(given.file, app)
  if (path !== undefined) mustFit(path, contract)
  if (content.kind === 'faulty') return unreadable(given, contract, path, content.diagnostics)
  const wanted = await make(content, contract, given, path, app)
  const made = placed(wanted, given.draft ?? false, app)
  const diagnostics = await checkText(made.text, made.path, contract.name, app)
  // A repository may have lowered the rule that a part is required.
  const accepted = !made.isBlocked && !diagnostics.some(d => d.severity === 'error')
  const draft = given.draft ?? (!accepted && !dryRun && (await isKept(app)))
  const { isFixed, isBlocked: _, text, ...output } = made
  const target = draft ? draftPath(made.path) : made.path
  const written = !dryRun && (accepted || draft) ? write(target, text, isFixed, app) : undefined
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

function write(target: string, text: string, isFixed: boolean, app: App): string {
  const written = writeNew(target, text, isFixed, app)
  forgetAnswers(app)
  return written
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
  given: CreateRequest,
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
    const ends = { supersede: endingsIn(supersede, by), by }
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

function unreadable(
  { draft = false, dryRun = false, from = '' }: CreateRequest,
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
