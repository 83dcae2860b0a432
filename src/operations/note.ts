import { quote } from '../contract/index.ts'
import { decode, findHiddenText, findSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import {
  addNote,
  finishItem,
  finishNote,
  type Note,
  type NoteKind,
  plainText,
  readLineage,
  readNotes,
} from '../session/index.ts'
import { loadConfig, userName } from '../workspace/index.ts'
import { openItemsAt } from './note/items.ts'
import type { ListedNote, NoteOutput } from './note/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const kind = (description: string) => ({ type: 'boolean', description }) as const

const input = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      positional: true,
      placeholder: 'text',
      description: 'One line for the next handoff; - reads standard input.',
    },
    rule: kind('It is a rule that holds until a person ends it.'),
    decision: kind('It is a decision.'),
    fact: kind('It is a fact (the default).'),
    open: kind('It is something that still has to be done.'),
    scope: {
      type: 'string',
      placeholder: 'pattern',
      description: 'The commands or paths that a rule is about, such as git push* or src/**.',
    },
    rejected: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'text',
      description: 'A rejected alternative of a decision.',
    },
    done: {
      type: 'string',
      placeholder: 'id',
      description:
        'Mark as done: the id of a note, or the number or words of an open item of the newest handoff.',
    },
    agent: {
      type: 'string',
      placeholder: 'name',
      description: 'Who notes it (default: your name).',
    },
  },
} as const

type Input = TypeOf<typeof input>

/** Keeps one line for the next handoff. */
export default defineOperation({
  name: 'note',
  summary: 'Note a rule, decision, fact or open item for the next handoff',
  description:
    'Keeps one line in .waybill/ for the current branch and work tree. waybill handoff takes all notes into the next ' +
    'handoff and ticks them off. Several processes may write notes at once.',
  examples: [
    {
      command: "waybill note --decision 'Parse by hand' --rejected 'a parser generator'",
      does: 'note a decision',
    },
    { command: "waybill note --rule 'Never force-push' --scope 'git push*'", does: 'note a rule' },
    { command: "waybill note 'The build takes 9 minutes'", does: 'note a fact' },
    {
      command: 'waybill note --done 2',
      does: 'the second open item of the newest handoff is done',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => write(given, app),
})

async function write(given: Input, app: App): Promise<NoteOutput> {
  const { root } = app
  if (given.done !== undefined) {
    if (given.text !== undefined) throw usage('a note is written or marked as done, not both')
    const done = await finish(given.done, app)
    return { note: null, done, waiting: waitingAt(root) }
  }
  const words = { kind: kindOf(given), ...(await wordsOf(given, app)) }
  const by = given.agent ?? userName(root)
  const note = addNote(root, { ...words, at: new Date(app.now).toISOString(), by })
  return { note: listedNote(note), done: null, waiting: waitingAt(root) }
}

function waitingAt(root: string): number {
  const { notes, done } = readNotes(root)
  return notes.length + done.length
}

/** The note as outputs list it. */
export function listedNote({ done = false, ...note }: Note): ListedNote {
  return { ...note, done }
}

function kindOf(given: Input): NoteKind {
  const named = (['rule', 'decision', 'fact', 'open'] as const).filter(one => given[one])
  const [kind = 'fact'] = named
  if (named.length > 1)
    throw usage('a note has one kind', `write one note for each of ${named.join(', ')}`)
  if (given.scope !== undefined && kind !== 'rule')
    throw usage('only a rule has a scope', 'add --rule')
  if (given.rejected !== undefined && kind !== 'decision')
    throw usage('only a decision has rejected alternatives', 'add --decision')
  return kind
}

async function wordsOf(given: Input, app: App): Promise<Pick<Note, 'text' | 'scope' | 'rejected'>> {
  const raw = given.text === '-' ? decode(await app.stdin()).text : (given.text ?? '')
  const text = oneLine(raw)
  if (text === '')
    throw usage('the note is empty', "write it like waybill note 'The build takes 9 minutes'")
  const scope = given.scope === undefined ? undefined : oneLine(given.scope).replaceAll('`', '')
  const rejected = given.rejected?.map(oneLine).filter(one => one !== '')
  mustBeFit([text, scope ?? '', ...(rejected ?? [])].join('\n'))
  return {
    text,
    ...(scope && { scope }),
    ...(rejected && rejected.length > 0 && { rejected }),
  }
}

/** Refuses what no handoff may hold. */
function mustBeFit(text: string): void {
  const [secret] = findSecrets(text)
  if (secret)
    throw usage(`the note contains a secret (${secret.kind})`, 'say where it is kept instead')
  const [hidden] = findHiddenText(text)
  if (hidden)
    throw usage(
      `the note contains hidden characters (${hidden.kind})`,
      'type it again without them',
    )
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Marks a note or an open item of the newest handoff as done; returns its words. */
async function finish(name: string, app: App): Promise<string> {
  const { root } = app
  const note = readNotes(root).notes.find(({ id }) => id === name)
  if (note) {
    finishNote(root, note.id)
    return note.text
  }
  const items = await newestItems(app)
  const item = /^[0-9]+$/.test(name)
    ? items[Number(name) - 1]
    : items.find(text => text === plainText(name))
  if (item === undefined) {
    throw new WaybillError('not-found', `there is no note and no open item ${quote(name)}`, {
      hint: 'waybill note list lists the notes, waybill brief the open items',
    })
  }
  finishItem(root, { item, at: new Date(app.now).toISOString() })
  return item
}

/** The words of the open items of the newest handoff. */
async function newestItems({ root }: App): Promise<string[]> {
  const { ignore, headings } = await loadConfig(root)
  const { members } = await readLineage(root, { ignore, headings })
  const newest = members.findLast(({ handoff }) => handoff)
  return newest ? openItemsAt(root, newest.path, headings) : []
}

function usage(message: string, hint = 'see waybill note --help'): WaybillError {
  return new WaybillError('usage', message, { hint })
}
