import { handoffDocument } from './handoff-document.ts'
import { seeded } from './random.ts'
import { sessionContext } from './session-context.ts'
import { sessionState } from './session-state.ts'

/** A text that can be made as long as wanted, to see how the time to check it grows. */
export interface Growing {
  readonly what: string
  /** The name of the file, which decides how it is read. */
  readonly path: string
  readonly size: number
  text(size: number): string
}

const HANDOFF = handoffDocument(0)
const KB = 1024

/** Large documents that are nothing but large. */
export const LARGE: readonly Growing[] = [
  {
    what: 'a 1 MB Markdown document',
    path: HANDOFF.path,
    size: KB * KB,
    text: size => {
      const random = seeded(1)
      let prose = ''
      while (prose.length < size / 2)
        prose += `${random.sentences(5)}\n\n- \`${random.hex(8)}\`\n\n`
      return inHandoff(prose)
    },
  },
  ...['NFRChecklist', ''].map(key => ({
    what: `YAML with 50,000 ${key ? 'free' : 'unknown'} keys`,
    path: 'SESSION_STATE.yaml',
    size: 50_000,
    text: (size: number) => inState(key, size, number => `key-${number}: value ${number}`),
  })),
]

/** Texts of 100 KB that are made to keep a parser busy, each inside a document that is otherwise sound. */
export const HOSTILE: readonly Growing[] = [
  ...markdown('nested brackets', '['),
  ...markdown('links that never end', '[a]('),
  ...markdown('backtick runs', size => runs('`', size)),
  ...markdown('backslashes', '\\'),
  ...markdown('emphasis', '*a_ **b__ '),
  ...markdown('emphasis that closes nothing', 'a**b'),
  ...markdown('comments that never end', '<!-- '),
  ...markdown('comments that end', '<!-- -->'),
  ...markdown('one comment on every line', '<!--\n'),
  ...markdown('quotes', '> '),
  ...markdown('nested lists', '- '),
  ...markdown('code spans that are paths', '`src/a.ts` '),
  ...markdown('headings', '## a\n'),
  ...markdown('words before a secret', 'password = '),
  ...markdown('secrets', 'password=hunter2-example '),
  ...markdown('placeholders', 'TBD '),
  ...json('nested brackets', '['),
  ...json('nested objects', '{"a":'),
  ...json('quotes', '"'),
  ...json('digits', '9'),
  ...json('one key many times', size => `{${repeat('"a":1,', size)}"b":1}`),
  ...json('control characters', '\u0001'),
  ...yaml('nested brackets', '['),
  ...yaml('nested braces', '{a: '),
  ...yaml('quotes', "'"),
  ...yaml('double quotes', '"'),
  ...yaml('comments', size => many(size / 64, () => '# '.repeat(29))),
  ...yaml('anchors', size => many(size / 16, n => `- &a${n} x`)),
  ...yaml('an alias bomb', size => many(size / 64, n => `- &b${n} [${'*b0, '.repeat(9)}*b0]`)),
  ...yaml('sequences in sequences', '- '),
  ...yaml('explicit keys', '? '),
  ...yaml('tags', '!'),
]

type Filler = string | ((size: number) => string)

const repeat = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length))
const fill = (filler: Filler, size: number) =>
  typeof filler === 'string' ? repeat(filler, size) : filler(size)

function markdown(what: string, filler: Filler): Growing[] {
  const text = (size: number) => inHandoff(fill(filler, size / 2))
  return [{ what: `Markdown: ${what}`, path: HANDOFF.path, size: 100 * KB, text }]
}

function json(what: string, filler: Filler): Growing[] {
  const whole = sessionContext(0)
  const text = (size: number) =>
    whole.replace('"domain":', () => `"filler": ${fill(filler, size)},\n      "domain":`)
  return [{ what: `JSON: ${what}`, path: 'context.json', size: 100 * KB, text }]
}

function yaml(what: string, filler: Filler): Growing[] {
  const text = (size: number) =>
    `${sessionState(0)}  NFRChecklist:\n    filler:\n      ${fill(filler, size).replaceAll('\n', '\n      ')}\n`
  return [{ what: `YAML: ${what}`, path: 'SESSION_STATE.yaml', size: 100 * KB, text }]
}

/** Half of it between the sections, where evidence stands, and half at the end. */
function inHandoff(filler: string): string {
  const heading = '## Environment State\n'
  return `${HANDOFF.text.replace(heading, () => `${filler}\n\n${heading}`)}\n${filler}\n`
}

function inState(key: string, count: number, line: (number: number) => string): string {
  const indent = key ? '    ' : '  '
  const lines = many(count, number => `${indent}${line(number)}`)
  return `${sessionState(0)}${key ? `  ${key}:\n` : ''}${lines}\n`
}

function many(count: number, line: (number: number) => string): string {
  return Array.from({ length: Math.ceil(count) }, (_, number) => line(number)).join('\n')
}

/** Runs of growing length: no two of them close each other. */
function runs(character: string, size: number): string {
  let text = ''
  for (let length = 1; text.length < size; length++) text += `${character.repeat(length)} `
  return text
}
