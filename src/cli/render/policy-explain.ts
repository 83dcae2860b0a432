import { listed, spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type {
  ExplainedDecision,
  PolicyExplainOutput,
} from '../../operations/policy-explain/output.ts'
import type { Style } from '../parse.ts'
import { hang, indent, textWidth, wrap } from './layout.ts'
import { whoOf } from './log.ts'
import { nothing } from './log-show.ts'

/** The decision, its policies and facts, and what would change it; or only the artifact. */
export function text(output: PolicyExplainOutput, style: Style, _: App, quiet: boolean): string {
  const { asked, entry, decision, artifact, others } = output
  if (artifact) return JSON.stringify(artifact, null, 2)
  if (!entry) return [nothing(asked, output), style('dim', OF_MISSIONS)].join('\n')
  const head = `${style('bold', `entry ${entry.index}`)}  ${spelled(entry.kind ?? entry.state)}  ${spelled(whoOf(entry))}  ${style('dim', spelled(entry.at ?? ''))}`
  if (!decision) return [head, '', ...notAsked(output)].join('\n')
  const lines = [head, '', ...why(decision, style)]
  if (quiet) return lines.join('\n')
  lines.push(...policies(decision, style), ...facts(decision, style), ...would(decision, style))
  if (others.length > 0)
    lines.push('', style('dim', `also decided in ${listed(others.map(index => `entry ${index}`))}`))
  return lines.join('\n')
}

const OF_MISSIONS =
  'for decisions inside a mission, run waybill mission show <mission> policy_decision'

function notAsked({ entry, byRules }: PolicyExplainOutput): string[] {
  if (entry?.state === 'erased') return ['The entry and its decision were erased.']
  if (entry?.state === 'differs' || entry?.state === 'unreadable')
    return [`The entry cannot be trusted: ${spelled(entry.note ?? '')}`]
  if (!byRules) return ['The entry records no policy decision.', OF_MISSIONS]
  return [
    'Denied by the rules; the policies were not evaluated.',
    ...(entry?.codes ?? []).map(code => `  waybill explain ${code}`),
  ]
}

const COLORS = { allow: 'green', deny: 'red', 'needs-input': 'yellow' } as const

function why({ decision, explanation, same }: ExplainedDecision, style: Style): string[] {
  const [first = '', ...rest] = explanation.split('\n').map(spelled)
  const width = textWidth()
  const unknown =
    same === null ? ['The current policies cannot be read: run waybill policy check.'] : []
  const kept = same === null ? rest.slice(0, -1) : rest
  return [
    style(COLORS[decision], first),
    ...[...kept, ...unknown].flatMap(line => wrap(line, width)),
  ]
}

function policies({ determining }: ExplainedDecision, style: Style): string[] {
  return determining.flatMap(({ id, text: policy }) =>
    policy === null
      ? []
      : ['', style('bold', id), ...indent(policy.trim().split('\n').map(spelled), 2)],
  )
}

function facts({ facts: known }: ExplainedDecision, style: Style): string[] {
  if (known.length === 0) return []
  const rows = known.map(({ name, value }) => `  ${name}: ${spelled(String(value))}`)
  return ['', style('bold', 'Recorded facts'), ...rows]
}

function would({ would: things }: ExplainedDecision, style: Style): string[] {
  if (things.length === 0) return []
  const width = textWidth()
  const rows = things.flatMap(one => hang('  - ', 4, spelled(one), width))
  return ['', style('bold', 'What would change it'), ...rows]
}
