import { type Fields, nearest, quote } from '../contract/index.ts'
import { decideAdvance, PHASES, type PhaseId, parseNext, type Wish } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { carryOut, openStateFile } from '../session/index.ts'
import { settled } from './gateway/settle.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { ARTIFACT, artifactsIn } from './state/artifacts.ts'
import { findProfileFor } from './state/find-profile.ts'
import { PARTS, partsFrom } from './state/parts.ts'
import { actOutput, EXPECT, FILE } from './state/report.ts'
import type { StateAdvanceOutput } from './state-advance/output.ts'

const input = {
  type: 'object',
  properties: {
    to: {
      type: 'string',
      placeholder: 'phase',
      description: 'The phase to move to, forward or back (default: that of Next).',
    },
    next: {
      type: 'string',
      placeholder: 'pointer',
      description: 'The new value of Next (default: the first possible step).',
    },
    mode: {
      type: 'string',
      enum: ['NORMAL', 'DEGRADED', 'DRAFT'],
      description: 'The new mode of the session.',
    },
    blocked: {
      type: 'string',
      placeholder: 'input',
      description: 'Block the session until this input is provided.',
    },
    previous: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The state before the session was blocked, when no record has it.',
    },
    artifact: ARTIFACT,
    from: PARTS,
    expect: EXPECT,
    file: FILE,
  },
} as const

/** Moves a session to another phase, or blocks or unblocks it. */
export default defineOperation({
  name: 'state advance',
  summary: 'Move the session to the next phase',
  description:
    'Sets Phase and Next in the state file, keeping comments and key order. At profile detection it adds the profile and ' +
    'the rulebooks that the repository shows. A session cannot move forward past an open gate, ' +
    'with a confidence below 70, while blocked, or with errors in its state; it can always move back or be blocked. When ' +
    'two processes write at once, one gets a conflict. Exits with 1 when refused.',
  examples: [
    { command: 'waybill state advance', does: 'move to the phase that Next names' },
    {
      command: 'waybill state advance --from plan.yaml --artifact ArchitectureDecisions',
      does: 'move to a gate with the plan that it is shown',
    },
    { command: 'waybill state advance --to 4', does: 'move back and plan again' },
    {
      command: 'waybill state advance --blocked consumer-inventory',
      does: 'wait for a named input',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => settled(advance(given, app), app),
  failed: output => !output.accepted,
})

async function advance(given: TypeOf<typeof input>, app: App): Promise<StateAdvanceOutput> {
  const wish = wishOf(given)
  const state = await openStateFile(app, given.file)
  const previous = given.previous === undefined ? undefined : await previousIn(given.previous, app)
  const parts = await partsFrom(given.from, app)
  const find = () => findProfileFor(state.value, app, given.file)
  const outcome = await carryOut(
    state,
    {
      kind: 'advance',
      expect: given.expect,
      previous,
      parts,
      decide: (value, waiting) =>
        decideAdvance(state.judge.basis, value, { ...wish, find }, waiting),
    },
    app,
  )
  return actOutput(state, outcome)
}

async function previousIn(name: string, app: App): Promise<Fields> {
  const previous = await openStateFile(app, name)
  if (previous.sound) return previous.value
  throw new WaybillError('usage', `the previous state ${name} is invalid`, {
    hint: `see waybill check ${name}`,
  })
}

function wishOf({ to, next, mode, blocked, artifact }: TypeOf<typeof input>): Wish {
  if (blocked !== undefined && (next !== undefined || mode !== undefined)) {
    throw new WaybillError('usage', '--blocked cannot be combined with --next or --mode', {
      hint: 'omit --next and --mode',
    })
  }
  if (blocked !== undefined && !/[\p{L}\p{N}]/u.test(blocked)) {
    throw new WaybillError('usage', '--blocked is empty', {
      hint: 'name the missing input, such as --blocked consumer-inventory',
    })
  }
  return {
    ...(to !== undefined && { to: phaseNamed(to) }),
    ...(next !== undefined && { next: pointer(next) }),
    ...(mode !== undefined && { mode }),
    ...(blocked !== undefined && { blocked }),
    ...(artifact !== undefined && { artifacts: artifactsIn(artifact) }),
  }
}

function phaseNamed(name: string): PhaseId {
  const plain = name.trim().replace(/^(?:phase|p)[\s_-]*(?=[0-9])/i, '')
  const pointed = parseNext(`Phase${plain}`)
  const known = PHASES.find(
    ({ id, written }) => id.toLowerCase() === plain.toLowerCase() || written === plain,
  )
  if (known) return known.id
  if (pointed.kind === 'phase') return pointed.phase.id
  const meant = nearest(
    plain,
    PHASES.map(({ id }) => id),
  )
  throw new WaybillError('usage', `there is no phase ${quote(name)}`, {
    hint: `use one of ${PHASES.map(({ id }) => id).join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
  })
}

function pointer(next: string): string {
  const { kind } = parseNext(next)
  if (kind === 'phase' || kind === 'pull-request') return next
  throw new WaybillError('usage', `--next ${quote(next)} is not a step`, {
    hint:
      kind === 'blocked'
        ? 'block the session with --blocked <input>'
        : 'write it like Phase5-ArchitectureGate, or PR-Ready',
  })
}
