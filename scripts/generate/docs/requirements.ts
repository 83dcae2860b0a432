import { join } from 'node:path'
import { root } from '../write.ts'
import { code, GENERATED, page, prose, table } from './markdown.ts'
import { type ContractSource, type Requirement, readRequirements } from './source.ts'

/** The reasons for a sentence without a check. */
const REASONS: Readonly<Record<string, string>> = {
  act: 'It describes an operation, not a property of a document.',
  undecidable: 'A document does not show whether it was followed.',
  advice: 'It is addressed to people.',
  definition: 'It defines something and requires nothing.',
  overruled: 'A ruling overrides it.',
  elsewhere: 'It is about documents outside of Waybill.',
}

interface Group {
  readonly title: string
  readonly file: string
  readonly rows: readonly Requirement[]
}

/** Writes the page that traces every normative sentence of the specifications. */
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
    '# Coverage of the specifications',
    'Each MUST, SHOULD and MAY of the specifications, and each ruling where they are silent, is a row of a ' +
      '`requirements.yaml`. A row names the checks that enforce it, or why there is none. A test fails when a row ' +
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
