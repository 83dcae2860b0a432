import { type Figure, judge, ratioWords, type Skip, sampleWords, targetWords } from './figure.ts'

const HEADINGS = ['what', 'Waybill', 'compared with', 'ratio', 'target', '']

/** The figures for a terminal. */
export function table(found: readonly (Figure | Skip)[]): string {
  const rows = [HEADINGS, ...found.filter(isFigure).map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const skips = found.filter(isSkip).map(({ what, skipped }) => `not measured: ${what}: ${skipped}`)
  return [...lines, ...skips].join('\n')
}

/** Whether something was measured. */
export function isFigure(entry: Figure | Skip): entry is Figure {
  return 'ours' in entry
}

/** Whether something could not be measured. */
export function isSkip(entry: Figure | Skip): entry is Skip {
  return 'skipped' in entry
}

function cells(figure: Figure): string[] {
  const { what, unit, ours, theirs, note } = figure
  const verdict = judge(figure)
  return [
    what,
    [sampleWords(ours, unit), ...(note ? [note] : [])].join('; '),
    theirs ? `${theirs.name}: ${sampleWords(theirs, unit)}` : '–',
    ratioWords(figure),
    targetWords(figure),
    verdict?.words ?? '',
  ]
}

/** The figures for a page. */
export function markdownTable(figures: readonly Figure[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const emphasised = figures.map(figure =>
    cells(figure).map(cell => cell.replace(/^missed/, '**missed**')),
  )
  return [line(HEADINGS), line(HEADINGS.map(() => '---')), ...emphasised.map(line)].join('\n')
}
