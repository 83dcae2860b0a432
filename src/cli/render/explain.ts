import { counted } from '../../contract/index.ts'
import type { CodeGroup, ExplainedCode, ExplainOutput } from '../../operations/explain/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, indent, pad, textWidth, wrap } from './layout.ts'

const COLORS = { error: 'red', warning: 'yellow', info: 'blue', depends: 'cyan' } as const
const SEVERITY_WIDTH = 'warning'.length + 2

const PHASES = {
  transition: 'Runs when two states are compared (waybill check --previous).',
  receive: 'Runs when the receiving session is known (waybill check --session).',
} as const

/** The list of codes, or the details of one. */
export function text(output: ExplainOutput, style: Style, _app?: App): string {
  return 'groups' in output ? list(output.groups, style) : all(output.rule, style)
}

function list(groups: readonly CodeGroup[], style: Style): string {
  const width = textWidth()
  const lines = groups.flatMap(({ title, contract, codes }) => [
    `${style('bold', title)}${contract ? style('dim', `  ${contract}, ${counted(codes.length, 'rule')}`) : ''}`,
    ...codes.flatMap(({ code, severity, summary }) => [
      `  ${style(COLORS[severity], pad(severity, SEVERITY_WIDTH))}${code}`,
      ...indent(wrap(summary, width - SEVERITY_WIDTH - 2), SEVERITY_WIDTH + 2).map(l =>
        style('dim', l),
      ),
    ]),
    '',
  ])
  return [
    ...lines,
    style('dim', 'waybill explain <code> shows the details, with examples for rules'),
  ].join('\n')
}

function all(rule: ExplainedCode, style: Style): string {
  const { code, severity, summary, why, remedy, phase, unconditional } = rule
  const width = textWidth()
  const paragraph = (label: string, words: string) => {
    const [first = '', ...rest] = hang(label, 7, words, width)
    return [style('dim', first.slice(0, 7)) + first.slice(7), ...rest]
  }
  const lines = [
    `${style(COLORS[severity], severity)} ${style('bold', code)}`,
    '',
    ...wrap(summary, width),
    '',
    ...paragraph('why', why),
    ...(remedy ? paragraph('fix', remedy) : []),
  ]
  if (phase) lines.push(...paragraph('when', PHASES[phase]))
  if (unconditional)
    lines.push(...paragraph('note', 'Cannot be excused by configuration or a baseline.'))
  if (severity === 'depends') lines.push(...paragraph('note', 'The severity depends on the case.'))
  lines.push(...sources(rule, style, width), ...examples(rule, style))
  return lines.join('\n')
}

function sources({ enforces }: ExplainedCode, style: Style, width: number): string[] {
  if (enforces.length === 0) return []
  const idWidth = Math.max(...enforces.map(e => e.id.length)) + 2
  return [
    '',
    style('bold', 'Enforces'),
    ...enforces.flatMap(({ id, level, source, text }) => [
      `  ${style('dim', pad(id, idWidth))}${level} ${style('dim', `· ${source}`)}`,
      ...indent(wrap(text, width - idWidth - 2), idWidth + 2),
    ]),
  ]
}

function examples({ passing, failing, printed, code }: ExplainedCode, style: Style): string[] {
  const lines: string[] = []
  if (passing)
    lines.push(
      '',
      `${style('green', '✓')} ${style('bold', 'Passes')} ${style('dim', passing.file)}`,
      ...excerpt(passing, style, 'green'),
    )
  if (failing)
    lines.push(
      '',
      `${style('red', '✗')} ${style('bold', 'Fails')} ${style('dim', failing.file)}`,
      ...excerpt(failing, style, 'red', passing?.facts),
    )
  if (failing && printed.length > 0) {
    lines.push('', style('bold', 'Output for the failing example'))
    for (const { line, column, severity, message } of printed) {
      lines.push(
        `  ${style(COLORS[severity], severity)}${style('dim', `[${code}]`)} ${message} ${style('dim', `${failing.file}:${line}:${column}`)}`,
      )
    }
  }
  return lines
}

type Shown = NonNullable<ExplainedCode['passing']>

function excerpt(
  { lines, facts }: Shown,
  style: Style,
  color: 'green' | 'red',
  known?: string,
): string[] {
  const width = String(lines.at(-1)?.line ?? 0).length
  const shown: string[] = []
  let last = lines[0]?.line ?? 0
  for (const { line, text, marked } of lines) {
    if (line > last + 1) shown.push(`    ${style('dim', `${' '.repeat(width)} ⋮`)}`)
    last = line
    const number = style('dim', `${String(line).padStart(width)} │`)
    shown.push(
      `  ${marked ? style(color, '>') : ' '} ${number} ${marked ? style(color, visible(text)) : visible(text)}`.trimEnd(),
    )
  }
  if (facts && facts === known) shown.push(`    ${style('dim', 'checked with the same facts')}`)
  else if (facts) shown.push(`    ${style('dim', 'checked with')}`, ...indent(facts.split('\n'), 6))
  return shown
}

/** Makes hidden characters visible: fixtures hold them on purpose. */
function visible(text: string): string {
  return text.replaceAll('\t', '  ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '·')
}
