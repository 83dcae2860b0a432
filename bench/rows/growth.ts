import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check } from '../../src/index.ts'
import type { Figure } from '../figure.ts'
import { type Contender, median, race, ratioOf, type Sample, wholeProcess } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { FACTS } from '../workloads/facts.ts'
import { writeHandoffs } from '../workloads/folder.ts'
import { linkedHandoff } from '../workloads/handoff-document.ts'
import { type Growing, HOSTILE, LARGE } from '../workloads/hostile.ts'
import { taskGraph, toolPolicy } from '../workloads/mission.ts'

const NOW = Date.UTC(2026, 5, 1)
const LONGEST = 500
/** Above this factor for twice the size, growth is not linear; times below the floor are too short to judge. */
const STEEPEST = 2.6
const FLOOR = 20

const TARGET = { kind: 'at-most', limit: LONGEST } as const

/** Large documents. */
export async function largeDocuments(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const growing of LARGE) {
    const { whole, growth } = await measure(stage, growing)
    figures.push({ ...whole, note: growthWords(growth) }, growth)
  }
  return figures
}

/** Texts that keep a parser busy; reports the slowest and the steepest. */
export async function hostileInputs(stage: Stage): Promise<Figure[]> {
  const found: { whole: Figure; growth: Figure }[] = []
  for (const growing of HOSTILE) found.push(await measure(stage, growing))
  const slowest = found.reduce((a, b) => (slower(b.whole, a.whole) ? b : a))
  const judged = found.filter(({ growth }) => growth.target)
  const steepest = judged.reduce(
    (a, b) => (steepness(b.growth) > steepness(a.growth) ? b : a),
    slowest,
  )
  const count = `${HOSTILE.length} hostile inputs of 100 KB`
  return [
    { ...slowest.whole, what: `${count}, the slowest (${slowest.whole.what})` },
    { ...steepest.growth, what: `${count}, the steepest (${steepest.whole.what}, twice the size)` },
    ...found.map(({ whole, growth }) => ({ ...whole, note: growthWords(growth) })),
  ]
}

/** The whole process for the time, and in process at two sizes for the growth. */
async function measure(
  stage: Stage,
  { what, path, size, text }: Growing,
): Promise<{ whole: Figure; growth: Figure }> {
  stage.note(`  ${what}`)
  const cwd = stage.folder(`growing-${what.replaceAll(/[^A-Za-z0-9]+/g, '-')}`)
  const full = text(size)
  writeHandoffs(cwd, 0, linkedHandoff)
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), full)
  const command = { program: stage.clone.program, args: ['check', path], cwd, exits: [0, 1] }
  const process = wholeProcess('waybill', command)
  const slow = (await process.run()) > 4 * LONGEST
  const rounds = slow ? 1 : stage.quick ? 3 : 7
  const [ours] = await race(rounds, [process])
  // Many short runs: noise from the optimiser and garbage collector in a single run would hide the effect.
  const [large, half] = await race(slow || stage.quick ? rounds : 21, [
    inProcess('the full size', full, path),
    inProcess('half the size', text(size / 2), path),
  ])
  if (!ours || !large || !half) throw new Error('nothing was measured')
  const tellable = median(large.times) >= FLOOR
  return {
    whole: { what, unit: 'ms', ours, target: TARGET },
    growth: {
      what: `${what}, in process, twice the size`,
      unit: 'ms',
      ours: large,
      theirs: half,
      ...(tellable && { target: { kind: 'times-at-most', limit: STEEPEST } }),
    },
  }
}

function inProcess(name: string, text: string, path: string): Contender {
  const run = async () => {
    const start = performance.now()
    await check(text, { path, now: NOW, facts: FACTS })
    return performance.now() - start
  }
  return { name, run }
}

function slower(a: Figure, b: Figure): boolean {
  return median(a.ours.times) > median(b.ours.times)
}

function steepness({ ours, theirs }: Figure): number {
  return theirs ? ratioOf(ours, theirs) : 0
}

function growthWords(growth: Figure): string {
  const time = median(growth.ours.times)
  if (!growth.target) return `${time.toFixed(1)} ms in process: too short to measure growth`
  return `${time.toFixed(0)} ms in process, ${steepness(growth).toFixed(2)}× for twice the size`
}

/** The last document of a lineage of 10,001, against its middle and first ones. */
export async function longLineage(stage: Stage): Promise<Figure[]> {
  const links = 10_000
  const cwd = stage.folder('lineage')
  writeHandoffs(cwd, links + 1, linkedHandoff)
  const at = (name: string, number: number) => {
    const args = ['check', linkedHandoff(number).path]
    return wholeProcess(name, { program: stage.clone.program, args, cwd })
  }
  const [ours, middle, first] = await race(stage.quick ? 3 : 9, [
    at('waybill', links),
    at('5,000 links', links / 2),
    at('no links', 0),
  ])
  if (!ours || !middle || !first) return []
  const what = 'a handoff whose lineage has 10,000 links'
  return [
    { what, unit: 'ms', ours, target: { kind: 'at-most', limit: 1000 } },
    {
      what: `${what}, beyond one without`,
      unit: 'ms',
      ours: less('10,000 links', ours, first),
      theirs: less('5,000 links', middle, first),
      target: { kind: 'times-at-most', limit: STEEPEST },
    },
  ]
}

function less(name: string, more: Sample, base: Sample): Sample {
  return { name, times: more.times.map((time, round) => time - (base.times[round] ?? 0)) }
}

/** A graph of 5,000 tasks whose last two wait for each other. */
export async function largeGraph(stage: Stage): Promise<Figure[]> {
  const tasks = 5_000
  const cwd = stage.folder('graph')
  writeFileSync(join(cwd, 'graph.json'), taskGraph(tasks))
  writeFileSync(join(cwd, 'policy.json'), toolPolicy(tasks))
  const command = { program: stage.clone.program, args: ['check', 'graph.json'], cwd, exits: [1] }
  const [whole] = await race(stage.quick ? 3 : 9, [wholeProcess('waybill', command)])
  const [ours, theirs] = await race(stage.quick ? 5 : 15, [
    inProcess('waybill', taskGraph(tasks), 'graph.json'),
    inProcess('half the tasks', taskGraph(tasks / 2), 'graph.json'),
  ])
  if (!whole || !ours || !theirs) return []
  const what = 'a graph of 5,000 tasks with a cycle at the end'
  return [
    { what: `${what}, in process`, unit: 'ms', ours, target: { kind: 'at-most', limit: 100 } },
    {
      what: `${what}, twice the tasks`,
      unit: 'ms',
      ours,
      theirs,
      target: { kind: 'times-at-most', limit: STEEPEST },
    },
    { what: `${what}, whole process`, unit: 'ms', ours: whole },
  ]
}
