import { listed } from '../contract/index.ts'
import { formatInstant } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { addNote, type NoteKind } from '../session/index.ts'
import { userName } from '../workspace/index.ts'
import type { NoteOutput } from './note/output.ts'
import { shownNote } from './note/shown.ts'
import { lineFrom, textFrom } from './note/text.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      positional: true,
      inline: true,
      description: 'The line to keep, or with --done the reason; - reads standard input.',
    },
    rule: { type: 'boolean', description: 'It is a standing rule.' },
    scope: {
      type: 'string',
      placeholder: 'pattern',
      description: "What the rule is about: a command or path pattern, such as 'git push*'.",
    },
    decision: { type: 'boolean', description: 'It is a decision.' },
    rejected: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'alternative',
      description: 'An alternative that the decision rejects; may be given several times.',
    },
    fact: { type: 'boolean', description: 'It is a fact (default).' },
    open: { type: 'boolean', description: 'It is an open item.' },
    done: {
      type: 'string',
      placeholder: 'item',
      description:
        'Tick off an open item: the id of a note, or the number or text of an item of the newest handoff.',
    },
    drop: { type: 'string', placeholder: 'id', description: 'Remove a note by its id.' },
    agent: {
      type: 'string',
      placeholder: 'name',
      description: 'Who writes the note (default: your name).',
    },
  },
} as const

type Input = TypeOf<typeof input>

/** Keeps one line for the next handoff, or ends one. */
export default defineOperation({
  name: 'note',
  summary: 'Keep one line for the next handoff',
  description:
    'A note is a rule, a decision, a fact or an open item. It is kept in .waybill for the checked-out branch of this work ' +
    'tree until a handoff takes it, and gets a short id. Line breaks become spaces. Credentials and hidden characters are ' +
    'refused. To note the word list or help, pass it on standard input.',
  examples: [
    {
      command: 'waybill note "The feed repeats entries after midnight"',
      does: 'keep a fact',
    },
    {
      command: 'waybill note "Only Ada pushes to main" --rule --scope \'git push*\'',
      does: 'keep a rule and what it is about',
    },
    {
      command: 'waybill note "One pass over the feed" --decision --rejected "two passes: slower"',
      does: 'keep a decision and what it rejects',
    },
    { command: 'waybill note "Ask the owners about the schema" --open', does: 'keep an open item' },
    { command: 'waybill note --done n-7k2p', does: 'tick off an open item' },
    {
      command: 'waybill note --done 2 "they answered"',
      does: 'tick off the second open item of the newest handoff',
    },
    { command: 'waybill note list', does: 'list the notes' },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run,
})

const KINDS = ['rule', 'decision', 'fact', 'open'] as const satisfies readonly NoteKind[]

async function run(given: Input, app: App): Promise<NoteOutput> {
  mustBeOne(given)
  const by = given.agent === undefined ? userName(app.root) : lineFrom('agent', given.agent, 200)
  const end = { at: formatInstant(app.now), by }
  const text =
    given.text === undefined ? undefined : lineFrom('the text', await textFrom(given.text, app))
  if (given.done !== undefined || given.drop !== undefined) {
    // Keeps the start of the common call fast.
    const { drop, tickOff } = await import('./note/end.ts')
    const why = text === undefined ? {} : { why: text }
    return given.done === undefined
      ? drop(given.drop ?? '', end, app)
      : tickOff(given.done, { ...end, ...why }, app)
  }
  if (text === undefined)
    throw usage('there is no text', 'pass it in quotes, before the flags; - reads standard input')
  const kind = KINDS.find(one => given[one]) ?? 'fact'
  const note = addNote(app.root, { kind, text, ...detailsOf(given), ...end })
  return { change: 'added', note: shownNote(note) }
}

function mustBeOne(given: Input): void {
  const { text, scope, rejected, drop } = given
  const said = [...KINDS, 'done', 'drop'] as const
  const flags = said.filter(one => given[one]).map(one => `--${one}`)
  if (flags.length > 1)
    throw usage(`one note cannot be ${listed(flags)}`, 'write a note for each, with one of them')
  if (scope !== undefined && !given.rule)
    throw usage('--scope is given without --rule', 'add --rule: only a rule has a scope')
  if (rejected !== undefined && !given.decision)
    throw usage('--rejected is given without --decision', 'add --decision')
  if (drop !== undefined && text !== undefined)
    throw usage('--drop removes a note and takes no text', 'omit the text')
}

/** Longer scopes and such with a backtick would not be read back from a handoff. */
const LONGEST_SCOPE = 200

function detailsOf({ scope, rejected = [] }: Input) {
  if (scope?.includes('`')) throw usage('the scope contains a backtick', 'write it without')
  return {
    ...(scope !== undefined && { scope: lineFrom('the scope', scope, LONGEST_SCOPE) }),
    ...(rejected.length > 0 && {
      rejected: rejected.map(one => lineFrom('the rejected alternative', one)),
    }),
  }
}

function usage(message: string, hint: string): WaybillError {
  return new WaybillError('usage', message, { hint })
}
