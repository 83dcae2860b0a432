import { counted, spelled } from '../../contract/index.ts'
import { summarise } from '../../operations/check/report.ts'
import type { LockOutput } from '../../operations/lock/output.ts'
import { type LockForPeople, lockForPeople } from '../../operations/lock.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { text as checkText } from './check.ts'
import { hang, pad, textWidth, widthOf } from './layout.ts'

/** Adds the source lines that the frames show. */
export const forPeople = lockForPeople

/** One line per changed agent, the prompts to review, and the outcome. */
export function text(output: LockForPeople, style: Style, app: App, quiet: boolean): string {
  const { outcome, documents, refused } = output
  if (outcome !== 'refused')
    return [
      ...warnings(output, style, app),
      ...changes(output, style, quiet),
      ...quarantineLines(output, style),
      ...verdict(output, style, quiet),
    ].join('\n')
  const shown = documents.filter(({ accepted }) => !accepted)
  const width = textWidth()
  return [
    ...(shown.length > 0 ? [checkText(foundIn(shown), style, app, quiet)] : []),
    ...refused.flatMap(({ code, message, hint }) => [
      `${style('red', 'refused')}${style('dim', `[${code}]`)}`,
      ...hang('  ', 2, spelled(message), width),
      ...hang('  fix: ', 7, spelled(hint), width),
    ]),
    '',
    style('dim', `${spelled(output.lock)} was not written`),
  ].join('\n')
}

type Documents = LockForPeople['documents']

const foundIn = (documents: Documents) => ({
  ...{ summary: summarise(documents), documents },
  ...{ ignored: 0, structureOnly: false },
})

/** Warnings about the manifest: locking approves it, so they are shown. */
function warnings({ documents }: LockForPeople, style: Style, app: App): string[] {
  const warned = documents
    .map(document => ({
      ...document,
      diagnostics: document.diagnostics.filter(({ severity }) => severity === 'warning'),
    }))
    .filter(({ diagnostics }) => diagnostics.length > 0)
  return warned.length > 0 ? [checkText(foundIn(warned), style, app, true), ''] : []
}

/** Longer lists are cut; JSON has all of it. */
const MOST_SHOWN = 60

type Row = readonly [mark: string, id: string, text: string]

function changes(output: LockOutput, style: Style, quiet: boolean): string[] {
  if (quiet) return []
  const rows: Row[] = [
    ...output.removed.map(
      ({ id, version, hash }): Row => [
        style('red', '-'),
        id,
        style('dim', `${version ?? '?'}  ${short(hash)}`),
      ],
    ),
    ...output.added.map(
      ({ id, version, hash }): Row => [
        style('green', '+'),
        id,
        `${version ?? '?'}  ${style('dim', short(hash))}`,
      ],
    ),
    ...output.changed.map((one): Row => [style('yellow', '~'), one.id, changeText(one, style)]),
    ...output.other.map(
      ({ part, from, to }): Row => [
        style('cyan', '~'),
        part,
        from === null ? to : `${from} → ${to}`,
      ],
    ),
  ]
  const shown = rows.slice(0, MOST_SHOWN)
  const width = Math.max(0, ...shown.map(([, id]) => widthOf(spelled(id))))
  const lines = shown.map(
    ([mark, id, change]) => `${mark} ${pad(spelled(id), Math.min(width, 50))}  ${change}`,
  )
  if (rows.length > shown.length)
    lines.push(
      style('dim', `  and ${rows.length - shown.length} more; --format json lists all of them`),
    )
  if (output.reordered) lines.push(style('dim', 'entries were sorted by id'))
  return lines.length > 0 ? [...lines, ''] : []
}

/** The agents in quarantine; removing an entry does not end it. */
function quarantineLines({ quarantined, removed }: LockOutput, style: Style): string[] {
  return quarantined.map(({ id, since }) => {
    const isGone = removed.some(one => one.id === id)
    const what = isGone
      ? 'its entry was removed, but it stays in quarantine if it comes back'
      : `have a person review its prompt: waybill lock reconcile ${id}`
    return style('yellow', spelled(`! ${id} is in quarantine since ${since}: ${what}`))
  })
}

type Changed = LockOutput['changed'][number]

function changeText({ parts, review }: Changed, style: Style): string {
  const changes = parts.map(part => partText(part, style)).join(', ')
  return `${changes || 'its entry'}${review ? style('yellow', '  review') : ''}`
}

function partText({ part, from, to }: Changed['parts'][number], style: Style): string {
  const [old, next] = part === 'hash' ? [short(from), short(to)] : [from ?? '?', to ?? '?']
  return `${part} ${style('red', spelled(old))} → ${style('green', spelled(next))}`
}

function short(hash: string | null): string {
  return hash === null ? '?' : spelled(hash).slice(0, 8)
}

/** Warns once per kind about locked line ends that other checkouts will not have. */
function lineEndsText({ lineEnds }: LockOutput, style: Style): string[] {
  const byWords = new Map<string, string[]>()
  for (const one of lineEnds) {
    const words = lineEndsWords(one)
    byWords.set(words, [...(byWords.get(words) ?? []), one.path])
  }
  return [...byWords].flatMap(([words, [first, ...more]]) => {
    const others = more.length > 0 ? ` and ${more.length} more` : ''
    const line = words.replace('<prompts>', () => `${first}${others}`)
    return hang('! ', 2, spelled(line), textWidth()).map(row => style('yellow', row))
  })
}

function lineEndsWords({ ends, checkout }: LockOutput['lineEnds'][number]): string {
  const has = ends === 'mixed' ? 'mixed LF and CRLF line ends' : 'CRLF line ends'
  if (checkout !== null)
    return `locked with ${has}: <prompts>; .gitattributes makes Git check them out with ${checkout}, and they will not verify: save them with ${checkout}, then lock again`
  return `locked with ${has}: <prompts>; they will not verify where Git converts line ends: save them with LF, add '*.md -text' to .gitattributes, then lock again`
}

const WORDS = {
  written: 'written',
  unchanged: 'is up to date; nothing written',
  'would-write': 'would change; nothing written',
} as const

function verdict(output: LockOutput, style: Style, quiet: boolean): string[] {
  const { outcome, check, totals, added, removed, changed } = output
  if (outcome === 'refused') return []
  const lines: string[] = []
  const review = changed.filter(one => one.review).length
  if (review > 0) {
    const have = review === 1 ? 'prompt has' : 'prompts have'
    lines.push(style('yellow', `! ${review} ${have} changed since locking: review before use`))
  }
  lines.push(...lineEndsText(output, style))
  const isWrong = check && outcome === 'would-write'
  if (quiet && !isWrong) return lines
  const counts = [
    counted(totals.domains, 'domain'),
    counted(totals.archetypes, 'archetype'),
    counted(totals.orchestrators, 'orchestrator'),
  ].join(', ')
  const mark = isWrong
    ? style('red', '✗')
    : outcome === 'would-write'
      ? style('cyan', '→')
      : style('green', '✓')
  const difference =
    outcome === 'unchanged' ? '' : `  +${added.length} -${removed.length} ~${changed.length}`
  const about = `${counted(totals.prompts, 'prompt')} (${counts})${difference}`
  lines.push(`${mark} ${spelled(output.lock)} ${WORDS[outcome]}${style('dim', `  ${about}`)}`)
  if (isWrong) lines.push(style('dim', '  run waybill lock, review what changed, and commit it'))
  return lines
}
