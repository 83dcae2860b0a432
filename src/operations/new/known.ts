import { randomUUID } from 'node:crypto'
import type { Contract, Fields, Schema } from '../../contract/index.ts'
import { findContract, initialState } from '../../contracts/index.ts'
import { formatInstant, type Path } from '../../document/index.ts'
import { EMPTY_STATE, NO_TRAIL } from '../../governance/index.ts'
import { type Config, loadConfig } from '../../workspace/index.ts'
import { findAgents } from '../check/agent-facts.ts'
import type { FactSources } from '../check/fact-sources.ts'
import { openFacts } from '../check/facts.ts'
import type { App } from '../operation.ts'
import { lockOf } from './lock.ts'
import { type OpenMission, openMission } from './mission.ts'

/** A field that is filled in without asking. */
export interface Known {
  readonly path: Path
  readonly value: unknown
  /** Its source, in words. */
  readonly from: string
}

/** The agents and session of a new document. */
export interface Participants {
  readonly agent: string
  /** The source of the agent's name. */
  readonly agentFrom: string
  readonly to?: string | undefined
  readonly session?: string | undefined
}

/** The repository facts that fields are filled in from. */
export interface DocumentFacts extends Participants {
  /** The folder of the new document, from the root. */
  readonly folder: string
  readonly app: App
  readonly config: Config
  readonly sources: FactSources
  readonly mission: OpenMission | undefined
}

/** Collects the repository facts that a new document may need. */
export async function collectFacts(
  contract: Contract,
  schema: Schema,
  who: Participants,
  folder: string,
  app: App,
): Promise<DocumentFacts> {
  const config = await loadConfig(app.root)
  const isMission = schema.required?.includes('mission_id') && contract.name !== 'mission-envelope'
  const mission = isMission ? await openMission(folder, app.root, config) : undefined
  return { ...who, folder, app, config, sources: openFacts(app, config), mission }
}

/** The names that contracts use for the creation time. */
const TIMES = ['created_at', 'timestamp', 'generated']

/** The id field of each contract, and the prefix of its ids. */
const OWN_IDS: Readonly<Record<string, readonly [key: string, word: string]>> = {
  'worker-result': ['result_id', 'wrk'],
  'aggregation-packet': ['packet_id', 'agg'],
  'review-packet': ['packet_id', 'rev'],
  'librarian-pass': ['pass_id', 'pass'],
  'policy-decision': ['decision_id', 'pol'],
  'prompt-package': ['package_id', 'pkg'],
  'research-artifact': ['artifact_id', 'res'],
  'writeback-proposal': ['proposal_id', 'wb'],
}

/** Returns every field of a new document that can be filled in. */
export async function knownOf(
  contract: Contract,
  schema: Schema,
  facts: DocumentFacts,
): Promise<Known[]> {
  const { app, agent, agentFrom, mission } = facts
  const required = schema.required ?? []
  const known: Known[] = []
  for (const key of required) {
    const { const: only } = schema.properties?.[key] ?? {}
    if (only !== undefined) known.push({ path: [key], value: only, from: 'the contract' })
    if (TIMES.includes(key)) known.push({ path: [key], value: secondOf(app.now), from: 'the time' })
  }
  if (required.includes('producer'))
    known.push({ path: ['producer'], value: agent, from: agentFrom })
  if (mission) {
    const from = `the mission in ${mission.path}`
    known.push({ path: ['mission_id'], value: mission.id, from })
    if (required.includes('task_id') && mission.onlyTask !== undefined)
      known.push({
        path: ['task_id'],
        value: mission.onlyTask,
        from: 'the only task of the mission',
      })
  }
  const own = OWN_IDS[contract.name]
  if (own) known.push({ path: [own[0]], value: `${own[1]}_${shortId()}`, from: 'generated' })
  return [...known, ...((await MORE[contract.name]?.(facts)) ?? [])]
}

function secondOf(now: number): string {
  return formatInstant(Math.floor(now / 1000) * 1000)
}

function shortId(): string {
  return randomUUID().slice(0, 8)
}

const MORE: Readonly<Record<string, (facts: DocumentFacts) => Known[] | Promise<Known[]>>> = {
  'mission-envelope': () => [{ path: ['mission_id'], value: randomUUID(), from: 'generated' }],
  'session-context': knownOfContext,
  'agent-handoff': knownOfHandoff,
  'prompt-manifest': () => [{ path: ['version'], value: '1.0.0', from: 'the first version' }],
  'session-state': () =>
    Object.entries(initialState({})).map(([key, value]) => ({
      path: [key],
      value,
      from: 'the initial state',
    })),
  'prompt-lock': async ({ sources, folder }) => lockOf(await agentsAt(folder, sources), sources),
}

const FAMILY_MEMBER = /^(ps|nse|orch)-[a-z]+(?:-[a-z]+)*$/

function knownOfContext({ agent, to, session }: DocumentFacts): Known[] {
  const known: Known[] = [{ path: ['schema_version'], value: '1.0.0', from: 'the contract' }]
  if (session) known.push({ path: ['session_id'], value: session, from: '--session' })
  const agents = [
    ['source_agent', agent, '--agent'],
    ['target_agent', to ?? '', '--to'],
  ] as const
  for (const [key, id, from] of agents) {
    const family = FAMILY_MEMBER.exec(id)?.[1]
    if (family === undefined) continue
    known.push({ path: [key, 'id'], value: id, from })
    known.push({ path: [key, 'family'], value: family, from: `the name of ${id}` })
  }
  return known
}

/** The four claims are proposed here; the check computes them and refuses a false one. */
const CLAIMS = [
  'source_agent_verified',
  'target_agent_verified',
  'composition_valid',
  'boundaries_respected',
]

async function knownOfHandoff({ agent, to, folder, sources }: DocumentFacts): Promise<Known[]> {
  const known: Known[] = [
    { path: ['handoff_id'], value: randomUUID(), from: 'generated' },
    { path: ['context', 'request', 'constraints'], value: [], from: 'nothing is given' },
    ...Object.entries(EMPTY_STATE).map(([key, value]) => ({
      path: ['context', 'state', key],
      value,
      from: 'nothing is given',
    })),
    { path: ['governance', 'audit_trail'], value: NO_TRAIL, from: 'nothing is recorded yet' },
  ]
  const { manifest, lock } = await agentsAt(folder, sources)
  const locked = fieldsOf(fieldsOf(documentIn(lock)).prompts)
  let found = 0
  for (const [key, id] of [
    ['source_agent', agent],
    ['target_agent', to ?? ''],
  ] as const) {
    const entry = Object.hasOwn(locked, id) ? fieldsOf(locked[id]) : undefined
    if (!entry) continue
    found++
    const { type, version, hash } = entry
    const value = { agent_type: type, agent_id: id, agent_version: version, prompt_hash: hash }
    known.push({ path: [key], value, from: 'the lockfile' })
  }
  if (found === 2 && 'value' in manifest)
    for (const claim of CLAIMS)
      known.push({
        path: ['governance', claim],
        value: true,
        from: 'the manifest and the lockfile',
      })
  return known
}

function agentsAt(folder: string, sources: FactSources): ReturnType<typeof findAgents> {
  const path = folder === '' || folder === '.' ? 'x' : `${folder}/x`
  const contract = findContract('agent-handoff')
  if (!contract) throw new Error('agent-handoff is not in the catalogue')
  const source = { file: '', path, named: false }
  return findAgents({ source, contract, value: undefined }, sources)
}

function documentIn(fact: { readonly value: unknown } | { readonly missing: string }): unknown {
  return 'value' in fact ? fieldsOf(fact.value).value : undefined
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
