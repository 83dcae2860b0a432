import type { Fields } from '../contract/index.ts'
import { findContract, NOTE, USUAL_HEADINGS } from '../contracts/index.ts'
import {
  type HandoffContent,
  handoffText,
  type Member,
  type Note,
  type NoteSections,
  notesAsSections,
  readLineage,
  readNotes,
  takeNotes,
} from '../session/index.ts'
import { filesChangedAfter, loadConfig, userName } from '../workspace/index.ts'
import { type Parts, withParts } from './handoff/compose.ts'
import { editContent, forgetEdited, isEdited } from './handoff/edit.ts'
import type { HandoffOutput } from './handoff/output.ts'
import { readContent } from './new/content.ts'
import { createFrom } from './new/create.ts'
import { withoutTarget } from './new/for-agents.ts'
import type { NewForPeople } from './new/for-people.ts'
import { HANDOFF_INPUT } from './new/input.ts'
import { openItemsAt } from './note/items.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const list = (placeholder: string, description: string) =>
  ({ type: 'array', items: { type: 'string' }, placeholder, description }) as const

const input = {
  type: 'object',
  properties: {
    file: {
      type: 'string',
      positional: true,
      path: true,
      makes: true,
      description: 'The file to write (default: a fitting name in handoffs/).',
    },
    state: {
      type: 'string',
      placeholder: 'text',
      description: 'What is done, and whether it works.',
    },
    next: list('step', 'A next step; repeat it for more.'),
    decision: list('text', 'A decision and its reason.'),
    rule: list('text', 'A rule that holds until a person ends it.'),
    fact: list('text', 'A fact that the next session cannot guess.'),
    open: list('text', 'A blocker or an open question.'),
    verify: list('command', 'A command that verifies the state.'),
    evidence: {
      ...list('file', 'A file that shows the result.'),
      path: true,
    },
    edit: {
      type: 'boolean',
      actor: 'human',
      description: 'Edit it in $EDITOR before it is written.',
    },
    ...HANDOFF_INPUT,
    dryRun: { type: 'boolean', description: 'Print the handoff and write nothing.' },
  },
} as const

type Input = TypeOf<typeof input>

/** The output of `handoff` for people. */
export type HandoffForPeople = NewForPeople & HandoffOutput

/** Writes a handoff from a few answers, flags, notes or a text. */
export default defineOperation({
  name: 'handoff',
  summary: 'Hand over to the next session in a minute',
  description:
    'Takes the sections from --from (- reads standard input), from flags, and from waybill note; on a terminal, asks ' +
    'for what is missing. Fills in branch, time, author, predecessor, open items, rules in force, and the files ' +
    'changed since the last handoff. Writes a handoff note, or a handoff document where the repository has documents, ' +
    'waybill.yaml says so, or --adr is given. Existing files are never overwritten. Exits with 1 when it is refused.',
  examples: [
    { command: 'waybill handoff', does: 'answer three questions' },
    {
      command:
        "waybill handoff --state 'The parser works' --next 'Fuzz it' --decision 'Parse by hand: no dependency'",
      does: 'hand over without questions',
    },
    { command: 'waybill handoff --from - < summary.md', does: 'hand over a text' },
    { command: 'waybill handoff --edit', does: 'write it in your editor' },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: async (given, app): Promise<HandoffOutput> => {
    const output = await handOver(given, app)
    return { ...output, diagnostics: output.diagnostics.map(plain) }
  },
  forAgents: withoutTarget,
  failed: ({ accepted, draft }) => !accepted && !draft,
})

function plain({ excerpt: _, why: __, ...diagnostic }: NewForPeople['diagnostics'][number]) {
  return diagnostic
}

/** Like `handoff`, with the reason for each diagnostic; `usual` is what is written where nothing else is said. */
export async function handOver(given: Input, app: App, usual?: 'note'): Promise<HandoffForPeople> {
  const { ignore, headings, handoff } = await loadConfig(app.root)
  const lineage = await readLineage(app.root, { ignore, headings })
  const newest = lineage.members.findLast(member => member.handoff)
  const kind = given.adr === undefined ? (usual ?? handoff ?? kindOf(newest)) : 'document'
  const contract = findContract(`handoff-${kind}`)
  if (!contract) throw new Error(`there is no contract handoff-${kind}`)
  const suggested = filesChangedAfter(app.root, newest?.time)
    .filter(path => !lineage.byPath.has(path))
    .slice(0, MOST_SUGGESTED)
  const read = await readContent(given.from, contract, app)
  if (read.kind !== 'handoff')
    return { ...(await createFrom(read, contract, given, app)), suggested }
  const notes = readNotes(app.root)
  const noted = notesAsSections(notes)
  const parts = partsOf(given, suggested, noted)
  const composed = withParts(stated(read.content), parts, kind, headings)
  const framed = kind === 'note' ? withFrontmatter(composed, { contract: NOTE }) : composed
  const { state = '', next, decision, rule, fact, open, verify, evidence } = given
  const typed = [
    state,
    ...[next, decision, rule, fact, open, verify, evidence].flatMap(l => l ?? []),
  ]
  const isContinued = given.edit === true && isEdited(app)
  const content = given.edit ? await editContent(framed, typed, app) : framed
  const known = newest ? await openItemsAt(newest.path, headings, app.root) : []
  const done = noted.answers.filter(({ item }) => known.includes(String(item)))
  const answers = [...read.answers, ...done]
  const output = await createFrom({ ...read, content, answers }, contract, given, app)
  if (given.edit && output.created) forgetEdited(app)
  if (output.created) {
    const [at, by] = [new Date(app.now).toISOString(), given.agent ?? userName(app.root)]
    const taken = { document: output.path, at, by }
    // An earlier text that was edited further has no later notes.
    const within = notes.filter(note => !isContinued || isWithin(note, content))
    takeNotes(
      app.root,
      within.map(({ id }) => id),
      taken,
    )
  }
  return { ...output, suggested }
}

function isWithin({ kind, text, done }: Note, content: HandoffContent): boolean {
  return kind === 'done' || done !== undefined || handoffText(content).includes(text)
}

const MOST_SUGGESTED = 15

function kindOf(newest: Member | undefined): 'note' | 'document' {
  return newest && !newest.note ? 'document' : 'note'
}

function partsOf(given: Input, suggested: readonly string[], noted: NoteSections): Parts {
  const { state, next, decision, rule, fact, open, verify, evidence } = given
  return {
    state: state === undefined ? [] : [state],
    next: next ?? [],
    decisions: [...(decision ?? []), ...entriesOf(noted.decisions)],
    rules: [...(rule ?? []), ...entriesOf(noted.rules)],
    context: [...(fact ?? []), ...entriesOf(noted.facts)],
    open: [...(open ?? []), ...entriesOf(noted.open)],
    checklist: (verify ?? []).map(command => `\`${command}\``),
    evidence: [
      ...(evidence ?? []).map(path => `\`${path}\``),
      ...suggested.map(path => `\`${path}\` (changed, from Git)`),
    ],
  }
}

/** List items without their marks. */
function entriesOf(items: readonly string[]): string[] {
  return items.map(item => item.slice('- '.length))
}

/** A text without headings says what the state is. */
function stated(content: HandoffContent): HandoffContent {
  const { preamble, sections } = content
  if (sections.length > 0 || preamble === '') return content
  return {
    ...content,
    preamble: '',
    sections: [{ title: USUAL_HEADINGS.state, level: 2, body: preamble }],
  }
}

function withFrontmatter(content: HandoffContent, fields: Fields): HandoffContent {
  return { ...content, frontmatter: { ...content.frontmatter, ...fields } }
}
