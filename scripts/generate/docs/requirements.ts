import { join } from 'node:path'
import { root } from '../write.ts'
import { code, GENERATED, page, prose, table } from './markdown.ts'
import { type ContractSource, type Requirement, readRequirements } from './source.ts'

/** Why a sentence has no check; the list is closed. */
const REASONS: Readonly<Record<string, string>> = {
  act: 'It is what an operation does, not a property of a document.',
  undecidable: 'No document shows whether it was obeyed.',
  advice: 'It is addressed to people.',
  definition: 'It names or describes something and requires nothing.',
  overruled: 'A ruling decides otherwise.',
  elsewhere: 'It belongs to a document that is not ours.',
}

interface Group {
  readonly title: string
  readonly file: string
  readonly rows: readonly Requirement[]
}

/** The page that says what became of every normative sentence of the specifications. */
export function requirementsPage(sources: readonly ContractSource[]): string {
  const shared = 'src/contracts/requirements.yaml'
  const groups: Group[] = [
    { title: 'All contracts', file: shared, rows: readRequirements(join(root, shared)) },
    ...sources.map(({ contract, requirements }) => ({
      title: `${contract.title} (${contract.id})`,
      file: `src/contracts/${contract.id}/requirements.yaml`,
      rows: requirements,
    })),
  ].filter(({ rows }) => rows.length > 0)
  return page(
    GENERATED,
    '# What became of every sentence',
    'Each MUST, SHOULD and MAY of the specifications, and each ruling where they are silent, is a row of a ' +
      '`requirements.yaml`. A row names the checks that enforce it, or says why there is none. A test fails when a row ' +
      'names a check that does not exist, and when a rule enforces no row.',
    countTable(groups),
    '## Why a sentence has no check',
    table(
      ['Reason', 'Meaning'],
      Object.entries(REASONS).map(([reason, words]) => [reason, words]),
    ),
    ...groups.map(excludedSection).filter(section => section !== ''),
  )
}

function countTable(groups: readonly Group[]): string {
  const reasons = Object.keys(REASONS)
  const line = (title: string, rows: readonly Requirement[]) => [
    title,
    String(rows.length),
    String(rows.filter(row => row.check !== undefined).length),
    ...reasons.map(reason => String(rows.filter(row => row.excluded === reason).length)),
  ]
  return table(
    ['Contract', 'Sentences', 'Checked', ...reasons],
    [
      ...groups.map(({ title, file, rows }) => line(`[${title}](../../${file})`, rows)),
      line(
        '**Together**',
        groups.flatMap(({ rows }) => rows),
      ),
    ],
  )
}

function excludedSection({ title, rows }: Group): string {
  const excluded = rows.filter(row => row.excluded !== undefined)
  if (excluded.length === 0) return ''
  const cells = excluded.map(({ id, level, text, excluded: reason = '', note = '' }) => [
    code(id),
    level,
    prose(text),
    reason,
    prose(note),
  ])
  return `## Without a check: ${title}\n\n${table(['Id', 'Level', 'Sentence', 'Reason', 'Why'], cells)}`
}
