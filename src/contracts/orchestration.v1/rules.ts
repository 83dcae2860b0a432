import {
  type Files,
  type Finding,
  kindAt,
  nearest,
  quote,
  type Rules,
} from '../../contract/index.ts'
import { forwardSlashes, normalPath, relativePaths } from '../paths.ts'
import { noReservedPaths } from '../reserved.ts'
import { noFutureTimes } from '../times.ts'
import { lastCheckpoints } from './checkpoints.ts'
import { type Bounds, figuresOf } from './figures.ts'
import { type Graph, graphOf } from './graph.ts'
import { GRAPH_POINTERS } from './graph-pointers.ts'
import { sharedOutputs, unmetInputs } from './inputs.ts'
import { type Cycle, cyclesIn } from './order.ts'
import type { Orchestration } from './schema.ts'

/** What the rules ask for beside the document. */
export interface OrchestrationFacts {
  /** The files of the repository. */
  readonly files: Files
}

const AGENTS = '/pipelines/*/phases/*/agents/*'
const CONTEXT_PATHS = [`${AGENTS}/session_context/input`, `${AGENTS}/session_context/output`]
const WRITTEN_PATHS = [
  `${AGENTS}/artifact`,
  '/barriers/*/artifacts/*/path',
  '/execution_queue/groups/*/artifact',
]
const PATHS = [...CONTEXT_PATHS, ...WRITTEN_PATHS, '/resumption/files_to_read/*']
const LONGEST_CYCLE = 8

/** Looking for what was meant costs one comparison for each known name; a large document must not pay that often. */
const MOST_SUGGESTIONS = 50
const MOST_SUGGESTED = 2000

/** What the structure of an orchestration state cannot say. */
export const rules = {
  'no-future-times': noFutureTimes(
    '/workflow/created',
    '/workflow/created_at',
    '/workflow/updated',
    '/workflow/updated_at',
    '/workflow/completed_at',
    '/pipelines/*/phases/*/started_at',
    '/pipelines/*/phases/*/completed_at',
    `${AGENTS}/started_at`,
    `${AGENTS}/completed_at`,
    '/barriers/*/completed_at',
    '/checkpoints/entries/*/timestamp',
    '/metrics/timing/workflow_started',
    '/metrics/timing/last_activity',
  ),
  'unique-agent-ids': {
    severity: 'error',
    summary: 'No two agents of one phase have the same id.',
    why: 'Statuses and dependencies name agents by their ids; two with one id cannot be told apart.',
    reads: [`${AGENTS}/id`],
    *check({ pipelines }) {
      for (const [name, { phases }] of Object.entries(pipelines)) {
        for (const [i, { id: phase, agents = [] }] of phases.entries()) {
          const seen = new Set<string>()
          for (const [j, { id }] of agents.entries()) {
            if (seen.has(id)) {
              yield {
                path: ['pipelines', name, 'phases', i, 'agents', j, 'id'],
                message: `the phase ${quote(`${name}.phase.${phase}`)} has another agent ${quote(id)}`,
                hint: 'number them, such as ps-critic-001 and ps-critic-002',
              }
            }
            seen.add(id)
          }
        }
      }
    },
  },
  'unique-ids': {
    severity: 'error',
    summary: 'No two barriers, and no two groups of the queue, have the same id.',
    why: 'What depends on one of them by its name is started when the first of that name is passed, which may be too early.',
    reads: ['/barriers/*/id', '/execution_queue/groups/*/id'],
    *check({ barriers, execution_queue: queue }) {
      const lists = [
        { kind: 'barrier', path: ['barriers'], items: Array.isArray(barriers) ? barriers : [] },
        { kind: 'group', path: ['execution_queue', 'groups'], items: queue?.groups ?? [] },
      ]
      for (const { kind, path, items } of lists) {
        const seen = new Set<string>()
        for (const [i, { id }] of items.entries()) {
          if (id === undefined) continue
          if (seen.has(`${id}`))
            yield {
              path: [...path, i, 'id'],
              message: `there is another ${kind} ${quote(`${id}`)}`,
              hint: 'give it an id of its own, also where others depend on it',
            }
          seen.add(`${id}`)
        }
      }
    },
  },
  'unique-phase-ids': {
    severity: 'error',
    summary: 'No two phases of one pipeline have the same id.',
    why: 'A dependency names a phase as <pipeline>.phase.<number>; with two of that number, what waits for the later one is started too early.',
    reads: ['/pipelines/*/phases/*/id'],
    *check({ pipelines }) {
      for (const [name, { phases }] of Object.entries(pipelines)) {
        // In an address, the number 1 and the text '1' are the same.
        const seen = new Set<string>()
        for (const [i, { id }] of phases.entries()) {
          if (seen.has(`${id}`)) {
            yield {
              path: ['pipelines', name, 'phases', i, 'id'],
              message: `the pipeline ${quote(name)} has another phase ${quote(`${id}`)}`,
              hint: 'give it a number of its own, also where others depend on it',
            }
          }
          seen.add(`${id}`)
        }
      }
    },
  },
  'known-dependencies': {
    severity: 'error',
    summary:
      'Everything in `depends_on` and `after_phases` is a phase, a barrier, an agent or a group of the document.',
    why: 'What waits for something that does not exist waits for ever, or is started too early.',
    reads: GRAPH_POINTERS,
    *check(value) {
      const { unknown, names } = graphOf(value)
      const known = [...names].slice(0, MOST_SUGGESTED)
      for (const [i, { name, path, own }] of unknown.entries()) {
        // What waits for itself, or for the phase that it is in, would be the next fault.
        const others = () => known.filter(([, step]) => !own.includes(step)).map(([other]) => other)
        const meant = i < MOST_SUGGESTIONS ? nearest(name, others()) : undefined
        yield {
          path,
          message: `there is no ${quote(name)} to depend on`,
          hint: meant
            ? `did you mean ${quote(meant)}?`
            : "write '<pipeline>.phase.<number>' of a phase in this file",
        }
      }
    },
  },
  'acyclic-dependencies': {
    severity: 'error',
    summary: 'Nothing waits for itself, directly or through others.',
    why: 'Phases that wait for each other never start; a phase also waits for the one before it in its pipeline.',
    reads: GRAPH_POINTERS,
    *check(value) {
      const graph = graphOf(value)
      for (const cycle of cyclesIn(graph.waits)) yield describeCycle(graph, cycle)
    },
  },
  'relative-paths': relativePaths(...PATHS),
  'forward-slashes': forwardSlashes(...PATHS),
  'no-reserved-paths': noReservedPaths(...CONTEXT_PATHS, ...WRITTEN_PATHS),
  'unique-outputs': {
    severity: 'error',
    summary: 'No agent writes the session context of another, be it as its own or as an artifact.',
    why: 'Of two that work side by side one is lost; of two in turn, whoever reads the first is given the second.',
    reads: [...GRAPH_POINTERS, `${AGENTS}/session_context/output`, `${AGENTS}/artifact`],
    *check(value) {
      for (const { file, path, first } of sharedOutputs(value))
        yield {
          path,
          message: `${first} writes ${quote(file)} already`,
          hint: 'give each agent a file of its own, and correct the inputs of those who read it',
        }
    },
  },
  'known-inputs': {
    severity: 'error',
    summary:
      'Every session context that an agent reads is written by an earlier agent or is on disk.',
    why: 'An agent whose input does not exist starts without what it was to build on.',
    reads: [
      ...GRAPH_POINTERS,
      ...CONTEXT_PATHS,
      `${AGENTS}/artifact`,
      '/barriers/*/artifacts/*/path',
      '/execution_queue/groups/*/agents',
    ],
    needs: ['files'],
    applies: value => unmetInputs(value).length > 0,
    *check(value, { facts: { files }, path: own = '' }) {
      const folder = own.slice(0, own.lastIndexOf('/') + 1)
      for (const { input, normal, path, agent, producer } of unmetInputs(value)) {
        const places = new Set([normal, normalPath(`${folder}${normal}`)])
        if ([...places].some(place => place && files && kindAt(files, place) === 'file')) continue
        yield {
          path,
          message: producer
            ? `nothing puts ${quote(producer)}, which outputs ${quote(input)}, before ${quote(agent)}, and there is no such file`
            : `no earlier agent outputs ${quote(input)}, and there is no such file`,
          hint: producer
            ? 'let its phase depend on what outputs it (depends_on: <pipeline>.phase.<number>), or correct the path'
            : 'correct the path, add the agent that writes it, or put the file there (from the root of the repository or beside this file)',
        }
      }
    },
  },
  'figures-agree': {
    severity: 'warning',
    summary: 'Figures that follow from the detail agree with it.',
    why: 'Whoever resumes the workflow trusts the totals; where they are wrong, work is skipped or done twice.',
    reads: [
      '/metrics',
      '/pipelines/*/total_phases',
      '/pipelines/*/progress_percent',
      '/pipelines/*/phases/*/status',
      `${AGENTS}/id`,
      `${AGENTS}/status`,
      '/barriers/*/status',
      '/execution_queue/groups/*/status',
      '/execution_queue/groups/*/agents',
    ],
    *check(value) {
      for (const { path, stated, shown } of figuresOf(value)) {
        if (stated >= shown[0] && stated <= shown[1]) continue
        yield {
          path,
          message: `${quote(path.at(-1))} says ${stated}, and the detail shows ${describeBounds(shown)}`,
          hint: 'count again, and correct the figure or the statuses',
        }
      }
    },
  },
  'last-checkpoint-agrees': {
    severity: 'warning',
    summary: 'The last checkpoint is named as the entries have it.',
    why: 'Resuming from another checkpoint than the last loses work or repeats it.',
    reads: [
      '/checkpoints/latest_id',
      '/checkpoints/entries/*/id',
      '/checkpoints/entries/*/timestamp',
      '/resumption/last_checkpoint',
    ],
    *check({ checkpoints, resumption }) {
      const latest = lastCheckpoints(checkpoints)
      if (!latest) return
      const named = [
        { path: ['checkpoints', 'latest_id'], id: checkpoints?.latest_id },
        { path: ['resumption', 'last_checkpoint'], id: resumption?.last_checkpoint },
      ]
      for (const { path, id } of named) {
        if (id === undefined || (id === null ? latest.length === 0 : latest.includes(id))) continue
        yield {
          path,
          message: `${quote(path[1])} is ${id === null ? 'null' : quote(id)}, and ${latest[0] === undefined ? 'there are no checkpoints' : `the last checkpoint is ${quote(latest[0])}`}`,
          hint:
            latest[0] === undefined
              ? 'write null, or add the checkpoint'
              : `write ${quote(latest[0])}, or add the checkpoint`,
        }
      }
    },
  },
} satisfies Rules<Orchestration, OrchestrationFacts>

function describeCycle({ labels }: Graph, cycle: Cycle): Finding {
  // Only words can close a circle: the order of phases and agents alone goes one way.
  const start = Math.max(
    0,
    cycle.findIndex(({ wait }) => wait.path),
  )
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)]
  const names = turned
    .map(({ step }) => labels[step] ?? '')
    .filter((name, i, all) => name !== all[i - 1])
  const first = names[0] ?? ''
  if (names.length > 1 && names.at(-1) === first) names.pop()
  const shown = names.length > LONGEST_CYCLE ? [...names.slice(0, LONGEST_CYCLE), '…'] : names
  return {
    path: turned[0]?.wait.path ?? ['pipelines'],
    message: `${quote(first)} waits for itself: ${[...shown, first].map(name => quote(name)).join(' → ')}`,
    hint: 'take out one of these dependencies',
  }
}

function describeBounds([least, most]: Bounds): string {
  if (least === most) return String(least)
  return most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
}
