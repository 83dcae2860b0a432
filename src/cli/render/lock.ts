import { counted, spelled } from '../../contract/index.ts'
import { summarise } from '../../operations/check/report.ts'
import type { LockOutput } from '../../operations/lock/output.ts'
import { type LockForPeople, lockForPeople } from '../../operations/lock.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { text as checkText } from './check.ts'
import { hang, pad, textWidth, widthOf } from './layout.ts'

/** Results for people carry the source lines that the frames show. */
export const forPeople = lockForPeople

/** What changed, an agent to a line, which prompts want a reader, and what became of the lock. */
export function text(output: LockForPeople, style: Style, app: App, quiet: boolean): string {
  const { outcome, documents, refused } = output
  if (outcome !== 'refused')
    return [
      ...doubts(output, style, app),
      ...changes(output, style, quiet),
      ...keptOut(output, style),
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
    style('dim', `nothing was written to ${spelled(output.lock)}`),
  ].join('\n')
}

type Documents = LockForPeople['documents']

const foundIn = (documents: Documents) => ({
  ...{ summary: summarise(documents), documents },
  ...{ ignored: 0, structureOnly: false },
})

/** What there is to say of a manifest although it is locked: locking is to approve it. */
function doubts({ documents }: LockForPeople, style: Style, app: App): string[] {
  const doubtful = documents
    .map(document => ({
      ...document,
      diagnostics: document.diagnostics.filter(({ severity }) => severity === 'warning'),
    }))
    .filter(({ diagnostics }) => diagnostics.length > 0)
  return doubtful.length > 0 ? [checkText(foundIn(doubtful), style, app, true), ''] : []
}

/** Longer lists say nothing to people; JSON has all of it. */
const MOST_SHOWN = 60

type Row = readonly [mark: string, id: string, told: string]

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
    ([mark, id, told]) => `${mark} ${pad(spelled(id), Math.min(width, 50))}  ${told}`,
  )
  if (rows.length > shown.length)
    lines.push(
      style('dim', `  and ${rows.length - shown.length} more; --format json lists all of them`),
    )
  if (output.reordered) lines.push(style('dim', 'entries are put in the order of their ids'))
  return lines.length > 0 ? [...lines, ''] : []
}

/** Who is in quarantine, and that dropping an entry does not end it. */
function keptOut({ quarantined, removed }: LockOutput, style: Style): string[] {
  return quarantined.map(({ id, since }) => {
    const isGone = removed.some(one => one.id === id)
    const what = isGone
      ? 'its entry is dropped, and it stays in quarantine should it come back'
      : `let a person look at its prompt: waybill lock reconcile ${id}`
    return style('yellow', spelled(`! ${id} is in quarantine since ${since}: ${what}`))
  })
}

type Changed = LockOutput['changed'][number]

function changeText({ parts, review }: Changed, style: Style): string {
  const told = parts.map(part => partText(part, style)).join(', ')
  return `${told || 'its entry'}${review ? style('yellow', '  review') : ''}`
}

function partText({ part, from, to }: Changed['parts'][number], style: Style): string {
  const [old, next] = part === 'hash' ? [short(from), short(to)] : [from ?? '?', to ?? '?']
  return `${part} ${style('red', spelled(old))} → ${style('green', spelled(next))}`
}

/** Enough of a hash to tell it from another one. */
function short(hash: string | null): string {
  return hash === null ? '?' : spelled(hash).slice(0, 8)
}

/** That the bytes pinned are not those that everybody gets: once for all prompts of which the same is true. */
function lineEndsText({ lineEnds }: LockOutput, style: Style): string[] {
  const said = new Map<string, string[]>()
  for (const one of lineEnds) {
    const words = lineEndsWords(one)
    said.set(words, [...(said.get(words) ?? []), one.path])
  }
  return [...said].flatMap(([words, [first, ...more]]) => {
    const others = more.length > 0 ? ` and ${more.length} more` : ''
    const told = words.replace('<prompts>', () => `${first}${others}`)
    return hang('! ', 2, spelled(told), textWidth()).map(line => style('yellow', line))
  })
}

function lineEndsWords({ ends, checkout }: LockOutput['lineEnds'][number]): string {
  const has = ends === 'mixed' ? 'line ends that are mixed, LF and CRLF' : 'CRLF line ends'
  if (checkout !== null)
    return `pinned with ${has}: <prompts>; by .gitattributes Git gives everybody ${checkout}, and then they do not verify: save them with ${checkout}, and lock them anew`
  return `pinned with ${has}: <prompts>; whom Git gives others cannot verify them: save them with LF, keep that with a line '*.md -text' in .gitattributes, and lock them anew`
}

const WORDS = {
  written: 'written',
  unchanged: 'is as the prompts are; nothing was written',
  'would-write': 'would change; nothing was written',
} as const

function verdict(output: LockOutput, style: Style, quiet: boolean): string[] {
  const { outcome, check, totals, added, removed, changed } = output
  if (outcome === 'refused') return []
  const lines: string[] = []
  const review = changed.filter(one => one.review).length
  if (review > 0) {
    const have = review === 1 ? 'prompt has' : 'prompts have'
    lines.push(
      style(
        'yellow',
        `! ${review} ${have} other bytes than were locked: to be reviewed before use`,
      ),
    )
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
