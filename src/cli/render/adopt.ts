import { relative, resolve } from 'node:path'
import { counted, shellWord, spelled } from '../../contract/index.ts'
import type { AdoptedDocument, AdoptOutput } from '../../operations/adopt/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { pad, widthOf } from './layout.ts'

/** What became of each file, what its headings map to, and what to do next. */
export function text(output: AdoptOutput, style: Style, app: App, quiet: boolean): string {
  const { documents, dryRun } = output
  const shown = quiet
    ? documents.filter(d => d.outcome === 'draft' || d.outcome === 'refused')
    : documents
  const lines = shown.flatMap(document => [...described(document, dryRun, style, app), ''])
  if (documents.length === 0) lines.push('no file has a name near that of a handoff; name one')
  else if (dryRun) lines.push(style('dim', 'nothing written; run it again without --dry-run'))
  return lines.join('\n').trimEnd()
}

function described(document: AdoptedDocument, dryRun: boolean, style: Style, app: App): string[] {
  const path = nameOf(document.path, app)
  const output = nameOf(document.output ?? '', app)
  const arrow = `${path} → ${style('cyan', output)}`
  switch (document.outcome) {
    case 'sound':
      return [`${style('green', '✓')} ${path} is a valid handoff already`]
    case 'known':
      return [`${style('green', '✓')} ${path} was adopted before, as ${style('cyan', output)}`]
    case 'refused':
      return [`${style('red', '✗')} ${path}: ${spelled(document.reason ?? '')}`]
    case 'adopted':
      return [`${style('green', dryRun ? '→' : '✓')} ${arrow}`, ...details(document, style)]
    case 'draft':
      return [
        `${style('yellow', '!')} ${arrow}`,
        ...details(document, style),
        ...faults(document, style),
        ...(dryRun
          ? []
          : [
              style(
                'dim',
                `  when filled in, run: waybill new handoff-note --from ${shellWord(output)}`,
              ),
            ]),
      ]
  }
}

const HOW = { common: '', mapped: 'mapped to', kept: 'kept' } as const

/** How many headings are shown. */
const MOST_HEADINGS = 60

function details({ headings: all, added, notes }: AdoptedDocument, style: Style): string[] {
  const headings = all.slice(0, MOST_HEADINGS)
  const more = all.length - headings.length
  const width = Math.max(0, ...headings.map(({ title }) => widthOf(short(title))))
  return [
    ...headings.map(({ line, title, part, how }) => {
      const place = style('dim', String(line).padStart(5))
      return `${place}  ${pad(short(title), width)}  ${style('dim', HOW[how])} ${part ?? ''}`.trimEnd()
    }),
    ...(more > 0 ? [`       and ${more} more headings; --format json lists them`] : []),
    ...added.map(
      ({ title, missing }) =>
        `${style('dim', '  new')}  ${pad(title, width)}  ${missing ? style('yellow', 'to be written') : 'none'}`,
    ),
    ...notes.map(note => `  ${style('yellow', 'note')}  ${spelled(note)}`),
  ]
}

function faults({ diagnostics }: AdoptedDocument, style: Style): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const lines = errors
    .slice(0, 3)
    .map(({ code, message }) => `  ${style('red', 'error')}  ${code} ${spelled(message)}`)
  const more = errors.length - lines.length
  return more > 0 ? [...lines, `  and ${counted(more, 'more error')}`] : lines
}

const LONGEST = 60

function short(title: string): string {
  const line = spelled(title)
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** The path relative to the working directory. */
function nameOf(path: string, { cwd, root }: App): string {
  return spelled(relative(cwd, resolve(root, path)) || path)
}
