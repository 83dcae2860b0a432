import type { CarryAnswer } from './create/carry.ts'
import type { Note, NoteKind } from './notes.ts'

/** Notes as Markdown list items for the sections of a handoff, and the answers about its predecessor's open items. */
export interface NoteSections {
  readonly rules: readonly string[]
  readonly decisions: readonly string[]
  readonly facts: readonly string[]
  /** Without the items that are already done. */
  readonly open: readonly string[]
  readonly answers: readonly CarryAnswer[]
}

/** Writes notes as the list items of a handoff; the same line twice becomes one. */
export function notesAsSections(notes: readonly Note[]): NoteSections {
  const items = (kind: NoteKind) => [
    ...new Set(notes.filter(note => note.kind === kind && !note.done).map(itemOf)),
  ]
  // The last answer about an item counts.
  const answers = new Map(
    notes
      .filter(({ kind }) => kind === 'done')
      .map(({ text, why = '' }) => [text, { item: text, outcome: 'done', why } as const]),
  )
  return {
    rules: items('rule'),
    decisions: items('decision'),
    facts: items('fact'),
    // What was noted as open again and then done is not open.
    open: items('open').filter(item => !answers.has(item.slice('- '.length))),
    answers: [...answers.values()],
  }
}

function itemOf({ text, scope, rejected = [] }: Note): string {
  const more = [
    ...(rejected.length > 0 ? [`(rejected: ${rejected.join('; ')})`] : []),
    ...(scope === undefined ? [] : [`\`scope: ${scope}\``]),
  ]
  return ['-', asParagraph(text), ...more].join(' ')
}

/** What begins a block, a ticked item or a link definition instead of a paragraph. */
const BLOCK =
  /^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|([-*_])(?:\s*\1){2,}\s*$|```|~~~|<(?!https?:)|\[[ xX]\]|\[[^\]]+\]:)/
const NUMBER = /^([0-9]{1,9})([.)])(?=\s|$)/

/** Escapes the beginning of a text, so that it stays the words of one list item. */
function asParagraph(text: string): string {
  return BLOCK.test(text) ? `\\${text}` : text.replace(NUMBER, '$1\\$2')
}
