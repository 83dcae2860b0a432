import { cpus, release, type as systemName, totalmem } from 'node:os'
import { type Figure, judge, ratioWords, type Skip, sampleWords, targetWords } from './figure.ts'
import { ask } from './measure.ts'
import versions from './peers/package.json' with { type: 'json' }

const HEADINGS = ['what', 'Waybill', 'compared with', 'ratio', 'target', '']

/** The figures as a page for `docs/reference`. */
export function page(found: readonly (Figure | Skip)[], date: Date): string {
  const figures = found.filter(isFigure)
  const main = figures.filter(figure => !figure.detail)
  const details = figures.filter(figure => figure.detail)
  const skipped = found.filter(isSkip)
  return `# Performance

Written by \`npm run bench\` on ${date.toISOString().slice(0, 10)}; do not edit.

${machine()}

Every figure is the median of runs that alternate with those of what it is compared with, with the least and the
most in brackets; a ratio is the median of the ratios of the pairs. "Cold" and "whole process" mean everything from
starting the command to its end. A figure that misses its target says by how much.

${markdownTable(main.map(cells))}
${skipped.map(({ what, skipped: why }) => `\nNot measured: ${what}: ${why}.\n`).join('')}
${WORKLOADS}

## Hostile inputs, one by one

Each is 100 KB inside a document that is otherwise sound; whole process, at most 500 ms.

${markdownTable(details.map(cells))}
`
}

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

function isFigure(entry: Figure | Skip): entry is Figure {
  return 'ours' in entry
}

function isSkip(entry: Figure | Skip): entry is Skip {
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

function markdownTable(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const emphasised = rows.map(row => row.map(cell => cell.replace(/^missed/, '**missed**')))
  return [line(HEADINGS), line(HEADINGS.map(() => '---')), ...emphasised.map(line)].join('\n')
}

function machine(): string {
  const [cpu] = cpus()
  const python = ask('/usr/bin/python3', ['-c', PYTHON_VERSIONS])
  const peers = Object.entries(versions.dependencies).map(([name, version]) => `${name} ${version}`)
  return `- Machine: ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${systemName()} ${release()}
- Node: ${process.versions.node}
- Compared with: ${[...peers, ...(python ? [python] : [])].join(', ')}`
}

const PYTHON_VERSIONS =
  'import platform, importlib.metadata as m; ' +
  "print(f\"Python {platform.python_version()}, jsonschema {m.version('jsonschema')}, PyYAML {m.version('PyYAML')}\")"

const WORKLOADS = `## What is measured

- The documents are made by \`bench/workloads\`, from a seed, so they are the same in every run; all are accepted.
- \`node -e 0\` is started by a shell script that executes it, as Waybill is. "In the clone" goes through \`bin/waybill\`
  of the repository, which also looks whether a source is newer than the build; "installed" is the packed tarball,
  installed in an empty folder.
- @sourcemeta/jsonschema and ajv-cli check structure alone, with the same schema and files, each through its own
  command. Waybill also runs the rules and finds duplicate keys.
- The script in Python loads every file with libyaml and validates it with the published schema, in one process
  (\`bench/peers/check.py\`). The session states are FULL ones of 6 KB.
- Handoff documents stand in a Git repository with some twenty commits; the bare script reads them and parses only
  their frontmatter with js-yaml (\`bench/frontmatter.mjs\`). The linters of Markdown are run once, for information.
- Growth is told from the time in process at the full size and at half of it.
- Peak memory is that of the whole process, for session contexts, session states and handoff documents, mixed.
- Writers are processes that each call the operation in a loop; every call has to end in a move that is recorded or in a
  conflict that is reported, and the file has to be what the last record says.
- Workers are compared when each has done such missions once before; one that has just started compiles its code first,
  which the row beside it shows.`
