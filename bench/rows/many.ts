import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure, Skip } from '../figure.ts'
import { ask, type Contender, median, race, type Sample, wholeProcess } from '../measure.ts'
import { peerPrograms, root, type Stage } from '../stage.ts'
import { writeDocuments, writeRepository } from '../workloads/folder.ts'
import { handoffDocument } from '../workloads/handoff-document.ts'
import { sessionContext } from '../workloads/session-context.ts'
import { sessionState } from '../workloads/session-state.ts'

const COUNT = 2_000
const PYTHON = '/usr/bin/python3'
const peers = join(import.meta.dirname, '../peers')

/** Many JSON documents in one command, against two common validators. */
export async function manyJson(stage: Stage): Promise<Figure[]> {
  const cwd = stage.folder('many-json')
  const bytes = writeDocuments(cwd, COUNT, n => `context-${n}.json`, sessionContext)
  const programs = peerPrograms(stage)
  const schema = join(root, 'schemas/session-context.v1.json')
  const peer = (name: string, program: string, args: string[]) =>
    wholeProcess(name, { program: join(programs, program), args, cwd })
  const [ours, sourcemeta, ajv] = await race(roundsOf(stage, 15), [
    waybill(stage, cwd),
    peer('@sourcemeta/jsonschema', 'jsonschema', ['validate', schema, '.']),
    peer('ajv-cli', 'ajv', [
      'validate',
      '--strict=false',
      '--all-errors',
      '-s',
      schema,
      '-d',
      '*.json',
    ]),
  ])
  if (!ours || !sourcemeta || !ajv) return []
  const what = '2,000 session contexts (JSON)'
  const note = speed(bytes, ours)
  return [
    figure(what, ours, sourcemeta, { kind: 'times-faster', limit: 1 }, note),
    figure(what, ours, ajv, { kind: 'times-faster', limit: 1.5 }, note),
  ]
}

/** Many YAML documents in one command, against the usual script in Python. */
export async function manyYaml(stage: Stage): Promise<(Figure | Skip)[]> {
  const what = '2,000 session states (YAML, 6 KB)'
  if (!existsSync(PYTHON)) return [{ what, skipped: `there is no ${PYTHON}` }]
  const needs = 'import jsonschema, yaml; yaml.CSafeLoader'
  if (ask(PYTHON, ['-c', needs]) === undefined)
    return [{ what, skipped: `${PYTHON} lacks jsonschema, or PyYAML with libyaml` }]
  const cwd = stage.folder('many-yaml')
  const bytes = writeDocuments(cwd, COUNT, n => `state-${n}.yaml`, sessionState)
  const schema = join(root, 'schemas/session-state.v1.json')
  const [ours, python] = await race(roundsOf(stage, 7), [
    waybill(stage, cwd),
    wholeProcess('Python jsonschema with CSafeLoader', {
      program: PYTHON,
      args: [join(peers, 'check.py'), schema, '.'],
      cwd,
    }),
  ])
  if (!ours || !python) return []
  return [figure(what, ours, python, { kind: 'times-faster', limit: 4 }, speed(bytes, ours))]
}

/** Many handoff documents in one command, against minimal processing. */
export async function manyHandoffs(stage: Stage): Promise<Figure[]> {
  const cwd = stage.folder('many-handoffs')
  const bytes = writeRepository(cwd, COUNT, handoffDocument)
  const script = [fileURLToPath(import.meta.resolve('../frontmatter.mjs')), '.']
  const [ours, bare] = await race(roundsOf(stage, 15), [
    waybill(stage, cwd),
    wholeProcess('reading, and parsing frontmatter', {
      program: process.execPath,
      args: script,
      cwd,
    }),
  ])
  if (!ours || !bare) return []
  const what = '2,000 handoff documents'
  const target = { kind: 'times-at-most', limit: 4 } as const
  return [
    figure(what, ours, bare, target, speed(bytes, ours)),
    ...(await linters(stage, cwd, what)),
  ]
}

/** Markdown linters check other things, but show the cost of parsing. */
async function linters(stage: Stage, cwd: string, what: string): Promise<Figure[]> {
  if (stage.quick) return []
  const programs = peerPrograms(stage)
  const remark = ['--quiet', '--no-stdout', '--use', 'remark-frontmatter', '--use']
  const contenders = [
    waybill(stage, cwd),
    wholeProcess('markdownlint-cli2, 3 rules', {
      program: join(programs, 'markdownlint-cli2'),
      args: ['--config', join(peers, 'handoff.markdownlint-cli2.jsonc'), 'docs/**/*.md'],
      cwd,
      exits: [0, 1],
    }),
    wholeProcess('remark-cli, recommended rules', {
      program: join(programs, 'remark'),
      args: [...remark, 'remark-preset-lint-recommended', join(cwd, 'docs')],
      cwd: peers,
      exits: [0, 1],
    }),
  ]
  const found: Sample[] = []
  // Once: they take from ten seconds to a minute.
  for (const { name, run } of contenders) found.push({ name, times: [await run()] })
  const [ours, ...theirs] = found
  return ours ? theirs.map(sample => ({ what, unit: 'ms', ours, theirs: sample })) : []
}

function waybill({ clone }: Stage, cwd: string): Contender {
  return wholeProcess('waybill', { program: clone.program, args: ['check'], cwd })
}

function figure(
  what: string,
  ours: Sample,
  theirs: Sample,
  target: NonNullable<Figure['target']>,
  note: string,
): Figure {
  return { what, unit: 'ms', ours, theirs, target, note }
}

function speed(bytes: number, { times }: Sample): string {
  return `${(bytes / 1000 / median(times)).toFixed(0)} MB/s`
}

function roundsOf({ quick }: Stage, rounds: number): number {
  return quick ? 3 : rounds
}
