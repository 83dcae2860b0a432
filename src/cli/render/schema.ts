import type { SchemaOutput } from '../../operations/schema/output.ts'
import type { Style } from '../parse.ts'
import { pad } from './layout.ts'

/** The contracts in columns, or a schema ready to write to a file. */
export function text(output: SchemaOutput, style: Style): string {
  if (!('contracts' in output)) return JSON.stringify(output, null, 2)
  const rows = [
    ['NAME', 'VERSION', 'WRITTEN IN', 'DESCRIPTION', 'SCHEMA'] as const,
    ...output.contracts.map(
      c => [c.name, c.version, c.formats.join(', '), c.title, c.schemaId] as const,
    ),
  ]
  const widths = [0, 1, 2, 3, 4].map(i => Math.max(...rows.map(row => row[i]?.length ?? 0)))
  const lines = rows.map((row, line) => {
    const cells = row.map((cell, i) => (i === row.length - 1 ? cell : pad(cell, widths[i] ?? 0)))
    if (line === 0) return style('dim', cells.join('  '))
    const [name = '', ...rest] = cells
    return [style('bold', name), ...rest.slice(0, -1), style('dim', rest.at(-1) ?? '')].join('  ')
  })
  return [
    ...lines,
    '',
    style(
      'dim',
      'waybill schema <name> prints one; waybill schema config prints that of waybill.yaml',
    ),
  ].join('\n')
}
