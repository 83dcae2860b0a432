import {
  type Files,
  type Finding,
  inOtherForm,
  kindAt,
  nearest,
  quote,
  type Rules,
} from '../../contract/index.ts'
import { forwardSlashes, normalPath, relativePaths } from '../paths.ts'
import { noReservedPaths } from '../reserved.ts'
import { noFutureTimes, standardTimes } from '../times.ts'
import { lastCheckpoints } from './checkpoints.ts'
import { type Bounds, figuresOf } from './figures.ts'
import { type Graph, graphOf } from './graph.ts'
import { GRAPH_POINTERS } from './graph-pointers.ts'
import { sharedOutputs, unmetInputs } from './inputs.ts'
import { type Cycle, cyclesIn } from './order.ts'
import type { Orchestration } from './schema.ts'

/** Facts for the rules of an orchestration state. */
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
const READ_FIRST = '/resumption/files_to_read/*'
const PATHS = [...CONTEXT_PATHS, ...WRITTEN_PATHS, READ_FIRST, `${READ_FIRST}/path`]
const PAST_TIMES = [
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
]
const LONGEST_CYCLE = 8

/** Suggestions compare every known name; a large document gets only a few. */
const MOST_SUGGESTIONS = 50
const MOST_SUGGESTED = 2000

export const rules = {
  'no-future-times': noFutureTimes(...PAST_TIMES),
  'standard-times': standardTimes(...PAST_TIMES, '/metrics/timing/estimated_completion'),
  'unique-agent-ids': {
    severity: 'error',
    summary: 'No two agents of one phase have the same id.',
    why: 'Statuses and dependencies refer to agents by id, so a duplicate is ambiguous.',
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
    why: 'A dependency on a duplicate id is met by the first of them, which may be too early.',
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
              hint: 'give it another id, and update what depends on it',
            }
          seen.add(`${id}`)
        }
      }
    },
  },
  'unique-phase-ids': {
    severity: 'error',
    summary: 'No two phases of one pipeline have the same id.',
    why: 'A dependency names a phase as <pipeline>.phase.<number>; with a duplicate, dependents may start too early.',
    reads: ['/pipelines/*/phases/*/id'],
    *check({ pipelines }) {
      for (const [name, { phases }] of Object.entries(pipelines)) {
        // In an address, the number 1 equals the text '1'.
        const seen = new Set<string>()
        for (const [i, { id }] of phases.entries()) {
          if (seen.has(`${id}`)) {
            yield {
              path: ['pipelines', name, 'phases', i, 'id'],
              message: `the pipeline ${quote(name)} has another phase ${quote(`${id}`)}`,
              hint: 'give it another number, and update what depends on it',
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
    why: 'A dependency on something missing waits forever, or starts too early.',
    reads: GRAPH_POINTERS,
    *check(value) {
      const { unknown, names } = graphOf(value)
      const known = [...names].slice(0, MOST_SUGGESTED)
      for (const [i, { name, path, own }] of unknown.entries()) {
        // Suggesting the dependent itself, or its phase, would be the next error.
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
    summary: 'No agent writes the session context of another, as its own or as an artifact.',
    why: 'In parallel one of the two is lost; in sequence, readers of the first get the second.',
    reads: [...GRAPH_POINTERS, `${AGENTS}/session_context/output`, `${AGENTS}/artifact`],
    *check(value) {
      for (const { file, path, first } of sharedOutputs(value))
        yield {
          path,
          message: `${first} already writes ${quote(file)}`,
          hint: 'give each agent its own file, and correct the inputs of its readers',
        }
    },
  },
  'known-inputs': {
    severity: 'error',
    summary:
      'Every session context that an agent reads is written by an earlier agent or exists on disk.',
    why: 'An agent without its input starts without the work that it builds on.',
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
        const forms = [...places].map(place => place && files && inOtherForm(files, place))
        const form = forms.find(Boolean) ?? ''
        yield {
          path,
          message: producer
            ? `${quote(producer)}, which outputs ${quote(input)}, does not have to run before ${quote(agent)}, and the file does not exist${form}`
            : `no earlier agent outputs ${quote(input)}, and the file does not exist${form}`,
          hint: producer
            ? 'make its phase depend on the phase that outputs it (depends_on: <pipeline>.phase.<number>), or correct the path'
            : 'correct the path, add the agent that writes it, or add the file (relative to the root of the repository or to this file)',
        }
      }
    },
  },
  'figures-agree': {
    severity: 'warning',
    summary: 'Figures agree with the detail that they summarise.',
    why: 'The next session trusts the totals; wrong totals skip or repeat work.',
    reads: [
      // What is counted; a faulty status counts as unknown, and a faulty figure is not compared.
      `${AGENTS}/id`,
      '/barriers/*/id',
      '/execution_queue/groups/*/agents',
    ],
    *check(value) {
      for (const { path, stated, shown } of figuresOf(value)) {
        if (stated >= shown[0] && stated <= shown[1]) continue
        yield {
          path,
          message: `${quote(path.at(-1))} says ${stated}, but the detail shows ${describeBounds(shown)}`,
          hint: 'recount, and correct the figure or the statuses',
        }
      }
    },
  },
  'last-checkpoint-agrees': {
    severity: 'warning',
    summary: 'The stated last checkpoint is the last of the entries.',
    why: 'Resuming from another checkpoint loses or repeats work.',
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
          message: `${quote(path[1])} is ${id === null ? 'null' : quote(id)}, but ${latest[0] === undefined ? 'there are no checkpoints' : `the last checkpoint is ${quote(latest[0])}`}`,
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
  // Every cycle contains a stated dependency: the order of phases and agents alone has none.
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
    hint: 'remove one of these dependencies',
  }
}

function describeBounds([least, most]: Bounds): string {
  if (least === most) return String(least)
  return most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
}
