import { type Fields, nearest, quote } from '../contract/index.ts'
import { decideAdvance, PHASES, type PhaseId, parseNext, type Wish } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { carryOut, openStateFile } from '../session/index.ts'
import { settled } from './gateway/settle.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { actOutput, EXPECT, FILE } from './state/report.ts'
import type { StateAdvanceOutput } from './state-advance/output.ts'

const input = {
  type: 'object',
  properties: {
    to: {
      type: 'string',
      placeholder: 'phase',
      description: 'The phase to go to, forward or back (default: where Next points).',
    },
    next: {
      type: 'string',
      placeholder: 'pointer',
      description: 'What Next says then (default: the first step that may follow).',
    },
    mode: {
      type: 'string',
      enum: ['NORMAL', 'DEGRADED', 'DRAFT'],
      description: 'How the session works from then on.',
    },
    blocked: {
      type: 'string',
      placeholder: 'input',
      description: 'Block the session until this input is there.',
    },
    previous: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The state from before the session was blocked, where no record tells of it.',
    },
    expect: EXPECT,
    file: FILE,
  },
} as const

/** Moves a session on, back, into a block or out of one. */
export default defineOperation({
  name: 'state advance',
  summary: 'Move the session on to where Next points, or say what stands in the way',
  description:
    'Sets Phase and Next in the state file, and keeps its comments and the order of its keys. Nothing goes on past an ' +
    'open gate, below a confidence of 70, out of a block whose input is missing, or from a state with an error; going ' +
    'back and blocking are possible at any time. While somebody else writes, one wins and the other gets a conflict.',
  examples: [
    { command: 'waybill state advance', does: 'go to where Next points' },
    { command: 'waybill state advance --to 4', does: 'go back and plan again' },
    {
      command: 'waybill state advance --blocked consumer-inventory',
      does: 'wait for an input, by name',
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
  const outcome = await carryOut(
    state,
    {
      kind: 'advance',
      expect: given.expect,
      previous,
      decide: waiting => decideAdvance(state.judge.basis, state.value, wish, waiting),
    },
    app,
  )
  return actOutput(state, outcome)
}

async function previousIn(name: string, app: App): Promise<Fields> {
  const previous = await openStateFile(app, name)
  if (previous.sound) return previous.value
  throw new WaybillError('usage', `the previous state ${name} is itself at fault`, {
    hint: `see waybill check ${name}`,
  })
}

function wishOf({ to, next, mode, blocked }: TypeOf<typeof input>): Wish {
  if (blocked !== undefined && (next !== undefined || mode !== undefined)) {
    throw new WaybillError('usage', '--blocked says mode and next step itself', {
      hint: 'leave --next and --mode out',
    })
  }
  if (blocked !== undefined && !/[\p{L}\p{N}]/u.test(blocked)) {
    throw new WaybillError('usage', '--blocked names no input', {
      hint: 'say what is missing, such as --blocked consumer-inventory',
    })
  }
  return {
    ...(to !== undefined && { to: phaseNamed(to) }),
    ...(next !== undefined && { next: pointer(next) }),
    ...(mode !== undefined && { mode }),
    ...(blocked !== undefined && { blocked }),
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
  throw new WaybillError('usage', `--next ${quote(next)} names no step`, {
    hint:
      kind === 'blocked'
        ? 'block the session with --blocked <input>'
        : 'write it like Phase5-ArchitectureGate, or PR-Ready',
  })
}
