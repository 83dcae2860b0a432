import { listed, nearest, quote } from '../contract/index.ts'
import {
  decideGate,
  GATES,
  type Gate,
  PHASES,
  reviewNamed,
  reviewOf,
  reviewsRequired,
} from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { carryOut, openStateFile } from '../session/index.ts'
import { settled } from './gateway/settle.ts'
import { TENANT_INPUT, tenantOf } from './mission/tenant.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { reviewArtifacts } from './state/mission-review.ts'
import { actOutput, EXPECT, FILE } from './state/report.ts'
import type { StateGateOutput } from './state-gate/output.ts'

const STATUSES = ['present', 'missing', 'not-applicable']

const input = {
  type: 'object',
  required: ['gate', 'state'],
  properties: {
    gate: {
      type: 'string',
      positional: true,
      description: 'The gate: 5, 5.3, 5.4, 5.5, 5.6 or 6, or its key.',
    },
    state: {
      type: 'string',
      positional: true,
      description: 'Its new state, such as pending, approved or rejected.',
    },
    artifact: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'name=status',
      description: 'A required artifact: present, missing or not-applicable.',
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
    'A required review is read again whenever the gate is set to pass. Exits with 1 when refused.',
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
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => settled(set(given, app), app),
  failed: output => !output.accepted,
})

async function set(given: TypeOf<typeof input>, app: App): Promise<StateGateOutput> {
  const gate = gateNamed(given.gate)
  const says = stateOf(gate, given.state)
  const named = Object.fromEntries((given.artifact ?? []).map(artifactIn))
  const state = await openStateFile(app, given.file)
  const passes = gate.passes.includes(says)
  // The state may have been edited by hand: read the reviews from the database again.
  const reviews = [
    ...(given.mission === undefined ? [] : [reviewOf(given.mission)]),
    ...(passes ? reviewsRequired(state.value, gate.key) : []),
  ]
  const reviewed = await reviewArtifacts(reviews, { tenant: tenantOf(given), passes }, app)
  const artifacts = { ...named, ...reviewed }
  const verdict = { gate: gate.key, state: says, artifacts }
  const outcome = await carryOut(
    state,
    {
      kind: 'gate',
      expect: given.expect,
      decide: () => decideGate(state.judge.basis, state.value, verdict),
    },
    app,
  )
  return actOutput(state, outcome)
}

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

function stateOf({ key, states }: Gate, says: string): string {
  if (states.includes(says)) return says
  const meant = nearest(says, states)
  throw new WaybillError('usage', `gate ${key} cannot be ${quote(says)}`, {
    hint: meant ? `did you mean ${meant}?` : `it can be ${listed(states, 'or')}`,
  })
}

function artifactIn(text: string): readonly [name: string, status: string] {
  const at = text.lastIndexOf('=')
  const [name, status] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (reviewNamed(name)) {
    throw new WaybillError(
      'usage',
      `--artifact ${quote(text)} cannot set the review of a mission`,
      {
        hint: "use --mission <id>, which reads the mission's review",
      },
    )
  }
  if (
    at > 0 &&
    STATUSES.includes(status) &&
    /^[^\p{Cc}\p{Cf}]*[\p{L}\p{N}][^\p{Cc}\p{Cf}]*$/u.test(name)
  )
    return [name, status]
  throw new WaybillError('usage', `--artifact ${quote(text)} is not <name>=<status>`, {
    hint: `for example TestPlan=present; a status is ${listed(STATUSES, 'or')}`,
  })
}
