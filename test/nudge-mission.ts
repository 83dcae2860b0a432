import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'vitest'
import type { LibrarianPass } from '../src/contracts/index.ts'
import { readMissions } from '../src/mission/config.ts'
import { artifactsIn } from '../src/mission/plan/answer.ts'
import { checkArtifacts } from '../src/mission/plan/check.ts'
import { envelopeFrom, graphFrom, plansFor, type Wish } from '../src/mission/plan/draft.ts'
import { promptPackage, readPrompt } from '../src/mission/plan/prompts.ts'
import { returnsOf } from '../src/mission/plan/returns.ts'
import { readTemplate } from '../src/mission/plan/template.ts'
import type { Assignment, Outcome, Payload, Task } from '../src/mission/runner.ts'
import { commandRunner } from '../src/mission/runners/command.ts'
import { loadConfig } from '../src/workspace/index.ts'
import type { toolGuards } from './tool-guard.ts'

/** The example. */
export const NUDGE = join(import.meta.dirname, '../examples/nudge')

const { PATH = '' } = env

/** The environment of its agents: they run on the Node of the tests. */
export const AGENTS_ENVIRONMENT = {
  PATH: [dirname(process.execPath), PATH].join(delimiter),
}

/** A copy of the example that a test may change. */
export interface NudgeCopy {
  readonly root: string
  /** Replaces a text that is there. */
  change(path: string, from: string, to: string): void
  write(path: string, text: string): void
  remove(): void
}

/** Copies the example, without what was left in it by a run. */
export function copyNudge(): NudgeCopy {
  const root = mkdtempSync(join(tmpdir(), 'waybill-nudge-'))
  cpSync(NUDGE, root, { recursive: true, filter: path => !path.endsWith('.waybill') })
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  return {
    root,
    write,
    change: (path, from, to) => {
      const text = readFileSync(join(root, path), 'utf8')
      expect(text).toContain(from)
      write(path, text.replace(from, to))
    },
    remove: () => rmSync(root, { recursive: true }),
  }
}

const NOW = Date.now()
const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'

/** What came of the mission: its artifacts, in the order of its tasks, and the calls of tools that were traced. */
export interface Played {
  readonly artifacts: readonly Payload[]
  readonly traceRefs: readonly string[]
  of(name: string): Payload[]
}

/**
 * Plays the mission of the example with its own programs, their tools behind the guard, and every artifact checked; all
 * that is left out is what makes it durable.
 */
export async function playMission(
  root: string,
  openGuard: ReturnType<typeof toolGuards>,
): Promise<Played> {
  const missions = readMissions(await loadConfig(root))
  const place = { root, folder: 'missions/templates' }
  const template = await readTemplate(place, 'night-messages')
  const wish: Wish = {
    goal: 'Why do reminders arrive at night, and is what was done about it kept?',
    tenant: 'nudge',
    actor: 'ines.duarte',
    origin: 'test',
    // Keys other than those of the contract are the installation's own.
    contextRefs: Object.fromEntries([['ticket', 'NUDGE-118']]),
  }
  const mission = envelopeFrom(template, wish, NOW, MISSION)
  const graph = graphFrom(template, mission, NOW)
  const artifacts: Payload[] = []
  const traceRefs: string[] = []
  for (const { task: id, agent, prompt } of plansFor(template, graph.tasks, missions.roles)) {
    const task = graph.tasks.find(({ task_id }) => task_id === id) as Task
    const pack = promptPackage(
      await readPrompt(place, prompt ?? ''),
      task,
      mission,
      task.allowed_tools,
      NOW,
      { package: `pkg_${id}`, producer: missions.orchestrator },
    )
    const pass = artifacts.find(
      ({ schema_name, task_id }) => schema_name === 'librarian_pass' && task_id === id,
    )
    const assignment: Assignment = {
      mission,
      task,
      agent,
      attempt: 1,
      prompt: pack,
      pass: (pass as unknown as LibrarianPass) ?? null,
      inputs: artifacts,
      budget: { ms: null, tokens: null },
      returns: returnsOf(task.role_type),
      repair: null,
    }
    const guard = openGuard(task.allowed_tools, {
      missions,
      scope: task.allowed_tools,
      reach: { pass: assignment.pass, scopes: task.required_data_scopes },
      root,
      environment: AGENTS_ENVIRONMENT,
    })
    const runner = commandRunner(missions.runners[agent] ?? { runner: 'command' })
    const { tools } = guard
    const { signal } = new AbortController()
    const governanceFiles = { root, environment: AGENTS_ENVIRONMENT, signal, tools }
    const outcome = await runner.run(assignment, governanceFiles)
    const stored = [mission, graph, ...artifacts] as unknown as Payload[]
    artifacts.push(...(await accepted(outcome, assignment, stored)))
    traceRefs.push(...guard.traces.map(({ ref }) => ref))
    await tools.close()
  }
  return {
    artifacts,
    traceRefs,
    of: name => artifacts.filter(({ schema_name }) => schema_name === name),
  }
}

async function accepted(
  outcome: Outcome,
  assignment: Assignment,
  stored: readonly Payload[],
): Promise<readonly Payload[]> {
  if (outcome.is !== 'returned') throw new Error(JSON.stringify(outcome))
  const now = Date.now()
  const taken = artifactsIn(outcome.answer, { ...assignment, now, clock: now })
  if ('faults' in taken) throw new Error(JSON.stringify(taken.faults))
  const checked = await checkArtifacts(taken.artifacts, stored, { now })
  expect(checked.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  return taken.artifacts
}
