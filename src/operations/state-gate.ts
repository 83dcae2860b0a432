import { type Fields, listed, nearest, quote } from '../contract/index.ts'
import {
  decideGate,
  GATES,
  type Gate,
  PHASES,
  reviewOf,
  reviewsRequired,
  verdictNamed,
} from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { carryOut, openStateFile } from '../session/index.ts'
import { settled } from './gateway/settle.ts'
import { TENANT_INPUT, tenantOf } from './mission/tenant.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { ARTIFACT, artifactsIn } from './state/artifacts.ts'
import { reviewArtifacts } from './state/mission-review.ts'
import { PARTS, partsFrom } from './state/parts.ts'
import { actOutput, EXPECT, FILE } from './state/report.ts'
import type { StateGateOutput } from './state-gate/output.ts'

const input = {
  type: 'object',
  required: ['gate'],
  properties: {
    gate: {
      type: 'string',
      positional: true,
      description: 'The gate: 5, 5.3, 5.4, 5.5, 5.6 or 6, or its key.',
    },
    state: {
      type: 'string',
      positional: true,
      description: 'Its verdict: pending, approved, rejected, or its own word for it.',
    },
    artifact: ARTIFACT,
    from: PARTS,
    retract: {
      type: 'string',
      placeholder: 'why',
      description: 'Take back the verdict, or the artifacts that are named, as given by mistake.',
    },
    mission: {
      type: 'string',
      placeholder: 'mission',
      description: 'The id of a mission whose review the gate requires.',
    },
    tenant: { ...TENANT_INPUT, actor: 'human' },
    expect: EXPECT,
    file: FILE,
  },
} as const

/** Sets the state and artifacts of a gate. */
export default defineOperation({
  name: 'state gate',
  summary: 'Set the state and artifacts of a gate',
  description:
    'Sets the gate and its artifacts in the state file, keeping comments and key order. A gate can pass only in its phase ' +
    'and with all required artifacts. A missing artifact blocks the session and is named in Next; providing it unblocks. ' +
    'After a rejection in phase 5 or 5.3 the session plans again in phase 4. With --mission the gate requires the review ' +
    'of a mission: it passes only when that review approves without edits, and its digest is stored with the artifacts. ' +
    'A required review is read again whenever the gate is set to pass. approved and rejected name the same verdict at every ' +
    'gate. With --retract a verdict or artifact that was given by mistake is taken back, which is recorded, while the ' +
    'session has not moved on. Exits with 1 when refused.',
  examples: [
    {
      command: 'waybill state gate 5 approved --artifact ArchitectureDecisions=present',
      does: 'approve the architecture',
    },
    {
      command: 'waybill state gate 5.3 pending --artifact TestPlan=missing',
      does: 'record a missing artifact: the session waits for it',
    },
    {
      command: 'waybill state gate 5.5 approved --mission 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'approve with the review of a mission',
    },
    { command: 'waybill state gate 5.4 not-applicable', does: 'mark a gate as not applicable' },
    {
      command: "waybill state gate 5 --retract 'the decision is still in review'",
      does: 'take back a verdict that was given by mistake',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => settled(set(given, app), app),
  failed: output => !output.accepted,
})

async function set(given: TypeOf<typeof input>, app: App): Promise<StateGateOutput> {
  const { artifact, mission, retract, from, expect, file } = given
  const gate = gateNamed(given.gate)
  mustBeReason(given)
  const named = artifactsIn(artifact)
  const state = await openStateFile(app, file)
  const kept = retract !== undefined && Object.keys(named).length > 0
  const says = kept ? stateNow(state.value, gate) : stateOf(gate, given.state, retract)
  const passes = !kept && gate.passes.includes(says)
  const parts = await partsFrom(from, app)
  // The state may have been edited by hand: read the reviews from the database again.
  const reviews = [
    ...(mission === undefined ? [] : [reviewOf(mission)]),
    ...(passes ? reviewsRequired(state.value, gate.key) : []),
  ]
  const reviewed = await reviewArtifacts(reviews, { tenant: tenantOf(given), passes }, app)
  const artifacts = { ...named, ...reviewed }
  const verdict = { gate: gate.key, state: says, artifacts, retracts: retract }
  const outcome = await carryOut(
    state,
    {
      kind: 'gate',
      expect,
      parts,
      retracts: retract,
      decide: value => decideGate(state.judge.basis, value, verdict),
    },
    app,
  )
  return actOutput(state, outcome)
}

/** What is taken back is taken back alone, and the record says why. */
function mustBeReason({ retract, state, mission, from }: TypeOf<typeof input>): void {
  if (retract === undefined) return
  if (!/[\p{L}\p{N}]/u.test(retract))
    throw new WaybillError('usage', '--retract is empty', { hint: 'say why it was a mistake' })
  if ((state !== undefined && state !== 'pending') || mission !== undefined || from !== undefined)
    throw new WaybillError('usage', '--retract gives no verdict and no review', {
      hint: 'take it back first, and then set the gate in another call',
    })
}

const stateNow = (state: Fields, { key }: Gate) =>
  String((state.Gates as Fields | undefined)?.[key] ?? 'pending')

/** Finds a gate by any of its names: `5.3`, `P5.3`, `P5.3-TestQuality` or `test-quality`. */
function gateNamed(name: string): Gate {
  const plain = flatten(name)
  const gate = GATES.find(({ key }) => {
    const [number = '', ...words] = key.split('-')
    return [number, number.slice(1), words.join(''), key].some(form => flatten(form) === plain)
  })
  if (gate) return gate
  const phases = PHASES.flatMap(phase => (phase.gate ? [phase.id] : []))
  const meant = nearest(
    name,
    GATES.map(({ key }) => key),
  )
  throw new WaybillError('usage', `there is no gate ${quote(name)}`, {
    hint: `use one of ${phases.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
  })
}

const flatten = (text: string) => text.toLowerCase().replace(/[^a-z0-9.]/g, '')

function stateOf(gate: Gate, says: string | undefined, retract: string | undefined): string {
  if (retract !== undefined) return 'pending'
  const known = says === undefined ? undefined : verdictNamed(gate, says)
  if (known !== undefined) return known
  const { key, states } = gate
  const meant = says === undefined ? undefined : nearest(says, states)
  const all = `it can be ${listed(states, 'or')}`
  const problem = says === undefined ? 'has no verdict' : `cannot be ${quote(says)}`
  throw new WaybillError('usage', `gate ${key} ${problem}`, {
    hint: meant ? `did you mean ${meant}? ${all}` : all,
  })
}
