import { spelled } from '../../contract/index.ts'
import type { ShownNote } from '../../operations/note/output.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth, widthOf } from './layout.ts'

const COLORS = {
  rule: 'yellow',
  decision: 'blue',
  fact: 'dim',
  open: 'cyan',
  done: 'green',
} as const
/** The width of the longest kind. */
const WIDEST_KIND = 8

/** A note with its id and kind; under it what else is known. */
export function noteLines(note: ShownNote, style: Style): string[] {
  const { id, kind, text } = note
  const word = note.done ? 'done' : kind
  const label = `${id}  ${word.padEnd(WIDEST_KIND)}  `
  const width = widthOf(label)
  const [head = '', ...rest] = hang(label, width, spelled(text), textWidth())
  const details = detailsOf(note).flatMap(line =>
    hang(' '.repeat(width), width, spelled(line), textWidth()),
  )
  return [
    head.replace(word, () => style(COLORS[word], word)),
    ...rest,
    ...details.map(line => style('dim', line)),
  ]
}

function detailsOf({ scope, rejected, document, why, done }: ShownNote): string[] {
  const reason = done?.why ?? why
  return [
    ...(scope === null ? [] : [`scope: ${scope}`]),
    ...rejected.map(one => `rejected: ${one}`),
    ...(document === null ? [] : [`in ${document}`]),
    ...(reason === null ? [] : [`why: ${reason}`]),
  ]
}
