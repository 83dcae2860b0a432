import { cpus, release, type as systemName, totalmem } from 'node:os'
import type { Figure, Skip } from './figure.ts'
import { ask, median, race, wholeProcess } from './measure.ts'
import versions from './peers/package.json' with { type: 'json' }
import { isFigure, isSkip, markdownTable } from './report.ts'
import type { Stage } from './stage.ts'

/** Describes the machine; its speed differs from day to day. */
export async function conditions({ floor }: Pick<Stage, 'floor'>, date: Date): Promise<string> {
  const [cpu] = cpus()
  const [sample] = await race(9, [wholeProcess('node -e 0', floor)])
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB`
  return (
    `Measured on ${date.toISOString().slice(0, 10)}: ${machine}, ${systemName()} ${release()}, ` +
    `Node ${process.versions.node}, \`node -e 0\` in ${median(sample?.times ?? []).toFixed(1)} ms.`
  )
}

/** A section of the page with figures that were measured together. */
export function section(name: string, measured: string, found: readonly (Figure | Skip)[]): string {
  const figures = found.filter(isFigure)
  const skipped = found
    .filter(isSkip)
    .map(({ what, skipped }) => `Not measured: ${what}: ${skipped}.`)
  return [
    `## ${name}`,
    measured,
    ...(figures.length > 0 ? [markdownTable(figures)] : []),
    ...skipped,
  ].join('\n\n')
}

/** The page for `docs/reference`, with the new sections in place of the old ones. */
export function page(
  measured: ReadonlyMap<string, string>,
  names: readonly string[],
  before: string,
): string {
  const sections = sectionsIn(before)
  const whole = names.flatMap(name => measured.get(name) ?? sections.get(name) ?? [])
  return `${[HEAD, summary(whole), comparedWith(before), WORKLOADS, ...whole].join('\n\n')}\n`
}

function sectionsIn(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^(?=## )/m).slice(1)
  return new Map(parts.map(part => [part.slice(3, part.indexOf('\n')), part.trimEnd()]))
}

/** How many targets are met, and the missed ones. */
function summary(sections: readonly string[]): string {
  const met = sections.join('\n').match(/\| met by [0-9]+ % \|$/gm)?.length ?? 0
  const missed = sections.flatMap(text =>
    [...text.matchAll(/^\| ([^|]+) \|.*\| \*\*missed\*\* (by [0-9]+ %) \|$/gm)].map(
      ([, what, by]) => `- ${what}, ${by}`,
    ),
  )
  if (missed.length === 0) return `All ${met} targets are met.`
  return `Targets met: ${met}. Missed:\n\n${missed.join('\n')}`
}

/** The versions of the peers; keeps the known line if they cannot be queried here. */
function comparedWith(before: string): string {
  const python = ask('/usr/bin/python3', ['-c', PYTHON_VERSIONS])
  const peers = Object.entries(versions.dependencies).map(([name, version]) => `${name} ${version}`)
  const known = /^Compared with: .*\.$/m.exec(before)?.[0]
  return python
    ? `Compared with: ${[...peers, python].join(', ')}.`
    : (known ?? `Compared with: ${peers.join(', ')}.`)
}

const PYTHON_VERSIONS =
  'import platform, importlib.metadata as m; ' +
  "print(f\"Python {platform.python_version()}, jsonschema {m.version('jsonschema')}, PyYAML {m.version('PyYAML')}\")"

const HEAD = `# Performance

Written by \`npm run decisionContext\`; do not edit. \`npm run decisionContext -- --only <section> --publish\` measures one section anew.

Every figure is the median of runs that alternate with those of what it is compared with, with the least and the
most in brackets; a ratio is the median of the ratios of the pairs. "Cold" and "whole process" mean everything from
starting the command to its end. A figure that misses its target says by how much. Sections are
of different days, on which the machine was not equally fast, and of the code of their day: each says how long
\`node -e 0\` took.`

const WORKLOADS = `## What is measured

- The documents are made by \`decisionContext/workloads\`, from a seed, so they are the same in every run; all are accepted.
- \`node -e 0\` is started by a shell script that executes it, as Waybill is. "In the clone" goes through \`bin/waybill\`
  of the repository, which also looks whether a source is newer than the build; "installed" is the packed tarball,
  installed in an empty folder.
- @sourcemeta/jsonschema and ajv-cli check structure alone, with the same schema and files, each through its own
  command. Waybill also runs the rules and finds duplicate keys.
- The script in Python loads every file with libyaml and validates it with the published schema, in one process
  (\`decisionContext/peers/check.py\`). The session states are FULL ones of 6 KB.
- Handoff documents stand in a Git repository with some twenty commits; the bare script reads them and parses only
  their frontmatter with js-yaml (\`decisionContext/frontmatter.mjs\`). The linters of Markdown are run once, for information.
- Growth is told from the time in process at the full size and at half of it.
- Peak memory is that of the whole process, for session contexts, session states and handoff documents, mixed.
- Writers are processes that each call the operation in a loop; every call has to end in a move that is recorded or in a
  conflict that is reported, and the file has to be what the last record says.
- Workers are compared when each has done such missions once before; one that has just started compiles its code first,
  which the row beside it shows.
- Missions of ten trivial tasks come out on either side of their target from run to run on one day, when one is done after
  another: decision record 32 has six runs of one day.
- \`npm start\` is timed with npm itself; a mission is finished when the command that runs it has printed so.`
