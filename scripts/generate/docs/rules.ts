import type { CodeMeaning, Rule } from '../../../src/contract/index.ts'
import { NOT_CHECKED, OTHER_CODES } from '../../../src/operations/explain/codes.ts'
import { code, GENERATED, page, prose, table } from './markdown.ts'
import type { ContractSource } from './source.ts'

type AnyRule = Rule<never, Record<string, unknown>>

/** When a rule runs, if not in every check. */
const PHASES = {
  transition: 'with the earlier state (`--previous`)',
  receive: 'on receipt (`--session` and the like)',
} as const

/** The table of a contract's rules for its README. */
export function ruleTable({ rules }: ContractSource): string {
  const rows = Object.entries(rules).map(([name, { severity, summary, phase }]) => [
    code(name),
    severity,
    phase ? PHASES[phase] : '',
    prose(summary),
  ])
  return rows.length === 0
    ? 'None beyond its structure.'
    : table(['Rule', 'Severity', 'Only', 'Condition'], rows)
}

/** Writes the page of all diagnostic codes. */
export function rulesPage(sources: readonly ContractSource[]): string {
  const contents = sources.map(({ contract, rules }) => {
    const count = Object.keys(rules).length
    return `- [${contract.title}](#${contract.name}) (${count})`
  })
  const others = OTHER_CODES.map(({ title }) => `- [${title}](#${title.toLowerCase()})`)
  return page(
    GENERATED,
    '# Codes',
    'Every diagnostic has a code: `syntax/…` for unreadable documents, `schema/…` for structure, ' +
      '`<contract>/<rule>` for the rules of a contract, and `lineage/…`, `resume/…` and `pipeline/…` for findings of ' +
      'operations. `waybill explain <code>` shows the same, and for a rule also an example that passes and one that ' +
      'fails.',
    [...contents, ...others].join('\n'),
    ...sources.map(contractSection),
    '## Not checked',
    meaning('<contract>/not-checked', NOT_CHECKED),
    ...OTHER_CODES.flatMap(({ title, codes }) => [
      `## ${title}`,
      ...Object.entries(codes).map(([name, what]) => meaning(name, what)),
    ]),
  )
}

function contractSection(source: ContractSource): string {
  const { contract, rules } = source
  const sections = Object.entries(rules as unknown as Record<string, AnyRule>).map(([name, rule]) =>
    ruleSection(source, name, rule),
  )
  return [`<a id="${contract.name}"></a>`, `## ${contract.title}`, ...sections].join('\n\n')
}

function ruleSection(
  { contract, explanations }: ContractSource,
  name: string,
  rule: AnyRule,
): string {
  const notes = [`**${rule.severity}**`]
  if (rule.phase) notes.push(PHASES[rule.phase])
  if (rule.needs?.length) notes.push(`needs ${rule.needs.map(code).join(', ')}`)
  if (rule.unconditional) notes.push('cannot be lowered or excused')
  const enforced = (explanations[name]?.enforces ?? []).map(({ id, level }) => `${id} (${level})`)
  if (enforced.length > 0) notes.push(`enforces ${enforced.join(', ')}`)
  return section(`${contract.name}/${name}`, [
    prose(rule.summary),
    prose(rule.why),
    notes.join(' · '),
  ])
}

function meaning(name: string, { severity, summary, why, remedy }: CodeMeaning): string {
  return section(name, [prose(summary), `${prose(why)} ${prose(remedy)}`, `**${severity}**`])
}

function section(name: string, paragraphs: readonly string[]): string {
  return [`<a id="${name.replace(/[<>]/g, '')}"></a>`, `### ${code(name)}`, ...paragraphs].join(
    '\n\n',
  )
}
