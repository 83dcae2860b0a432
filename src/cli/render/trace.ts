import { counted, listed, spelled } from '../../contract/index.ts'
import type { ListedEntryOutput } from '../../operations/log/output.ts'
import type { App } from '../../operations/operation.ts'
import type { TraceOutput } from '../../operations/trace/output.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth } from './layout.ts'
import { table } from './log.ts'
import { nothing } from './log-show.ts'
import { missionStory } from './trace-mission.ts'

/** A timeline: one line per entry, with its prompts, policies and links below. */
export function text(output: TraceOutput, style: Style, _: App, quiet: boolean): string {
  const { id, steps, documents, kinds, more, mission } = output
  if (output.drawing !== null) return output.drawing.trimEnd()
  if (steps.length === 0 && documents.length === 0 && !mission) return nothing(id, output)
  const what = kinds.length === 0 ? '' : ` (${listed(kinds.map(spelled))})`
  const head = `${style('bold', spelled(id))}${what}: ${counted(steps.length, 'entry', 'entries')}`
  const rows = table(
    steps.map(({ entry }) => entry),
    style,
  )
  const lines = steps.flatMap((step, at) => [rows[at] ?? '', ...(quiet ? [] : below(step, style))])
  const cut = more ? ['', 'more entries not shown; --limit shows more'] : []
  const story = mission ? ['', ...missionStory(mission, style, quiet)] : []
  const all = [head, '', ...lines, ...story, ...cut, ...(quiet ? [] : rest(output, style))]
  return all.join('\n')
}

function below({ prompts, policy, via }: TraceOutput['steps'][number], style: Style): string[] {
  const width = textWidth()
  const facts = [
    ...(prompts.length === 0 ? [] : [`prompts ${prompts.map(promptText).join(', ')}`]),
    ...(policy === null ? [] : [`policies: ${policy.decision} by ${listed(policy.by)}`]),
    ...(via === null ? [] : [`reached as ${via}`]),
  ]
  return facts.flatMap(line => hang('', 8, spelled(line), width)).map(line => style('dim', line))
}

type Prompt = TraceOutput['steps'][number]['prompts'][number]

/** An agent with its stated hash, and the other hashes where they differ. */
function promptText({ agent, stated, expected, computed }: Prompt): string {
  const [claimed, locked, file] = [stated, expected, computed].map(hash => hash?.slice(0, 12))
  const isAll = expected === null || (expected === stated && computed === expected)
  if (isAll) return `${agent} ${claimed ?? 'not stated'}`
  const now = computed === expected ? '' : ` → file ${file ?? 'unreadable'}`
  return `${agent} ${claimed ?? 'not stated'}, locked ${locked}${now}`
}

function rest({ approvals, refusals, documents }: TraceOutput, style: Style): string[] {
  const width = textWidth()
  const parts = [
    ...approvals.map(({ by, standing, what, index }) => {
      const shown = standing === 'proved' ? 'proved by their key' : 'by name only'
      return `stated by ${by} (${shown}) in entry ${index}${what === null ? '' : `: ${what}`}`
    }),
    ...refusals.map(
      ({ index, codes }) => `refused in entry ${index}: ${listed(codes) || 'no code'}`,
    ),
    ...documents.map(
      ({ path, line, contract }) => `named in ${path}:${line}${contract ? ` (${contract})` : ''}`,
    ),
  ]
  if (parts.length === 0) return []
  return ['', ...parts.flatMap(part => hang('', 0, spelled(part), width))].map((line, at) =>
    at === 0 ? line : style('dim', line),
  )
}

/** The same as a sequence diagram. */
export const formats = { mermaid }

function mermaid({ steps }: TraceOutput): string {
  const names = new Map<string, string>()
  const nameOf = (who: string) => {
    const name = names.get(who) ?? `p${names.size}`
    names.set(who, name)
    return name
  }
  const messages = steps.map(({ entry }) => message(entry, nameOf))
  const participants = [...names].map(([who, name]) => `  participant ${name} as ${words(who)}`)
  return ['sequenceDiagram', ...participants, ...messages].join('\n')
}

function message(
  { from, to, kind, index, state, codes, by, agents, note }: ListedEntryOutput,
  nameOf: (who: string) => string,
): string {
  const what = [`${index} ${kind ?? state}`, ...codes].join(', ')
  if (from !== null && to !== null)
    return `  ${nameOf(from)}${ARROWS[kind ?? ''] ?? '-->>'}${nameOf(to)}: ${words(what)}`
  const label = note === null ? what : `${what}: ${note}`
  const about =
    state === 'erased' && agents.length > 0 ? agents.slice(0, 2) : [by ?? agents[0] ?? 'gateway']
  return `  Note over ${about.map(nameOf).join(',')}: ${words(label)}`
}

const ARROWS: Readonly<Record<string, string>> = {
  'handoff-sent': '-)',
  'handoff-accepted': '->>',
  'handoff-rejected': '-x',
  'security-event': '-x',
}

/** Replaces characters that would end a line or start a comment or entity in Mermaid. */
function words(text: string): string {
  return spelled(text)
    .replace(/[#;<>%]/g, ' ')
    .slice(0, 120)
}
