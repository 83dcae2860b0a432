import { counted, listed, spelled } from '../../contract/index.ts'
import type { LogShowOutput, ShownEntry } from '../../operations/log-show/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, indent, textWidth } from './layout.ts'
import { colorOf, table, whoOf } from './log.ts'

/** A table of the newest entries, or the selected entries in full. */
export function text(output: LogShowOutput, style: Style, _: App, quiet: boolean): string {
  const { about, entries, shown, more, size, origin } = output
  if (shown === null) {
    if (entries.length === 0) return size === 0 ? 'nothing recorded yet' : 'no matching entries'
    const lines = table(entries, style)
    if (quiet) return lines.join('\n')
    const older = more ? '; --limit shows more' : ''
    const total = `${counted(entries.length, 'entry', 'entries')} of ${size} in ${origin}${older}`
    return [...lines, '', style('dim', total)].join('\n')
  }
  if (shown.length === 0) return nothing(about ?? '', output)
  const blocks = shown.map(entry => full(entry, style).join('\n'))
  return [...blocks, ...(more ? ['older entries not shown; --limit shows more'] : [])].join('\n\n')
}

/** Most characters of the query to repeat. */
const MOST_REPEATED = 200

/** Says that nothing was found, and suggests similar ids. */
export function nothing(about: string, { near }: { readonly near: readonly string[] }): string {
  const shown = about.length > MOST_REPEATED ? `${about.slice(0, MOST_REPEATED)}…` : about
  const line = `nothing recorded about ${spelled(shown)}`
  return near.length === 0 ? line : `${line}\n  did you mean ${listed(near.map(spelled), 'or')}?`
}

function full(entry: ShownEntry, style: Style): string[] {
  const { index, kind, at, digest, leaf, statement } = entry
  const color = colorOf(entry) ?? 'bold'
  const head = `${style('bold', `entry ${index}`)}  ${style(color, spelled(kind ?? entry.state))}`
  const rows: [label: string, value: string][] = [
    ['at', spelled(at ?? '')],
    ['who', spelled(whoOf(entry))],
    ...Object.entries(entry.ids).map(([what, id]): [string, string] => [
      what,
      spelled([id].flat().join(', ')),
    ]),
    ['digest', digest ?? ''],
    ['leaf', leafText(entry, leaf)],
    ...entry.signatures.map((one): [string, string] => ['signed', signed(one)]),
    ['found', entry.codes.join(', ')],
    ...erased(entry),
  ]
  const width = textWidth()
  const lines = rows
    .filter(([, value]) => value !== '')
    .flatMap(([label, value]) => hang(`  ${label}`, 12, value, width))
  const body = statement
    ? JSON.stringify(statement.predicate, null, 2).split('\n').map(spelled)
    : []
  return [head, ...lines, ...(body.length > 0 ? ['', ...indent(body, 2)] : [])]
}

function leafText({ inTree }: ShownEntry, leaf: string | null): string {
  if (leaf === null) return 'the tree cannot be read'
  return inTree ? leaf : `${leaf}, which does not match this content: run waybill log verify`
}

function signed({ keyid, holder, verdict }: ShownEntry['signatures'][number]): string {
  const whose = holder === null ? 'a key not in the trust list' : spelled(holder)
  const what = verdict === 'bad' ? ', invalid signature' : ''
  return `${whose} (${spelled(keyid.slice(0, 12))})${what}`
}

function erased({ tombstone, standing, note }: ShownEntry): [string, string][] {
  if (!tombstone) return [['note', spelled(note ?? '')]]
  const { by, at, reason, erasure, again } = tombstone
  const stated = erasure === null ? 'not recorded in any entry' : `recorded in entry ${erasure}`
  const shown = standing === null ? '' : ` (${standing})`
  return [
    ['erased', spelled(`by ${by}${shown} at ${at}: ${reason} (${stated})`)],
    ['note', again ?? ''],
  ]
}
