import { relative, resolve, sep } from 'node:path'
import { agentsOf } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import {
  agentsNotCompared,
  type Inspected,
  inspectPolicies,
  openGovernanceFiles,
  type Policy,
  type PolicyFault,
  readConfigured,
  readPolicyFolder,
  unknownAgents,
} from '../governance/index.ts'
import { CONFIG_FILE, type Config, loadConfig, lookThrough } from '../workspace/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import type { PolicyCheckOutput } from './policy-check/output.ts'

const input = {
  type: 'object',
  properties: {
    folder: {
      type: 'string',
      positional: true,
      path: true,
      placeholder: 'folder',
      description: 'A folder of *.cedar files (default: policies in waybill.yaml).',
    },
  },
} as const

/** Validates the policies of a repository and lists those that decisions are made by. */
export default defineOperation({
  name: 'policy check',
  summary: 'Validate the policies and list those that decisions are made by',
  description:
    'Every policy is read strictly and compared with the schema: the facts and types that it names must exist, and facts ' +
    'that may be absent must be tested first. All faults are told at once. With an error among the policies nothing is ' +
    'decided, so nothing is sent or received. Permits that speak of handoffs are refused: policies only narrow what the ' +
    'rules allow. Warnings name policies that can never apply by their types, and agents that neither the manifest nor ' +
    'waybill.yaml knows, or that could not be compared; that no values can fulfil a condition is not found. Send and receive ask about handoffs; policies on tools, ' +
    'data and write-backs are validated here alike, and asked by the runtime of missions.',
  examples: [
    { command: 'waybill policy check', does: 'validate the policies that waybill.yaml names' },
    { command: 'waybill policy check drafts', does: 'validate others before they count' },
    {
      command: "waybill policy check --format json | jq -r '.policies[].id'",
      does: 'list the ids by which decisions name them',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => check(given, app, false),
  failed: ({ accepted }) => !accepted,
})

/** A fault with the line of source that people want to see. */
export type FaultForPeople = PolicyCheckOutput['diagnostics'][number] & {
  readonly excerpt?: string
}

/** What `policy check` answers when people read it. */
export interface PolicyCheckForPeople extends PolicyCheckOutput {
  readonly diagnostics: readonly FaultForPeople[]
}

/** The same check, with the line of source beside each fault. */
export function checkPoliciesForPeople(given: TypeOf<typeof input>, app: App) {
  return check(given, app, true)
}

async function check(
  { folder: named }: TypeOf<typeof input>,
  app: App,
  excerpts: boolean,
): Promise<PolicyCheckForPeople> {
  const config = await (named === undefined ? loadConfig(app.root) : configIfSound(app.root))
  const folder = named === undefined ? config?.policies : mustBeFolder(named, app)
  const read =
    named === undefined
      ? readConfigured(app.root, config ?? {})
      : readPolicyFolder(resolve(app.cwd, named), app.root)
  const { digest, policies, files, ...inspected } = inspectPolicies(read)
  const faults = [...inspected.faults, ...(await agentFaults(inspected.agents, config, app.root))]
  const count = (severity: PolicyFault['severity']) =>
    faults.filter(fault => fault.severity === severity).length
  const own = policies.filter(({ place }) => place !== undefined).length
  return {
    accepted: count('error') === 0,
    folder: folder ?? null,
    setDigest: digest,
    summary: {
      files,
      policies: own,
      builtIn: policies.length - own,
      errors: count('error'),
      warnings: count('warning'),
    },
    policies: policies.map(listedPolicy),
    diagnostics: faults.map(({ excerpt = '', ...fault }) =>
      excerpts ? { ...fault, excerpt } : fault,
    ),
  }
}

/** To policies that are named the configuration only says which agents there are: one at fault fails none of them. */
async function configIfSound(root: string): Promise<Config | undefined> {
  try {
    return await loadConfig(root)
  } catch (cause) {
    if (cause instanceof WaybillError && cause.code === 'configuration') return undefined
    throw cause
  }
}

/** Warns of agents that neither the manifest nor waybill.yaml knows; where those cannot be read, of that. */
async function agentFaults(
  named: Inspected['agents'],
  config: Config | undefined,
  root: string,
): Promise<PolicyFault[]> {
  if (!config) return agentsNotCompared(named, `${CONFIG_FILE} is at fault`)
  const { trust = [], missions } = config
  const listed = new Set([
    ...trust.flatMap(({ agent }) => agent ?? []),
    ...(missions ? [missions.orchestrator, ...Object.values(missions.roles)] : []),
  ])
  const others = named.filter(({ id }) => !listed.has(id))
  const { manifest } = await openGovernanceFiles(root, config)()
  if ('missing' in manifest) return agentsNotCompared(others, manifest.missing)
  const known = new Set([...listed, ...agentsOf(manifest.value).all.map(({ id }) => id)])
  return unknownAgents(others, known)
}

function mustBeFolder(named: string, { root, cwd }: App): string {
  const folder = resolve(cwd, named)
  const stats = lookThrough(folder, named)
  if (!stats) throw new WaybillError('not-found', `there is no folder ${named}`)
  if (!stats.isDirectory()) {
    throw new WaybillError('usage', `${named} is a file`, { hint: 'name the folder that it is in' })
  }
  return relative(root, folder).split(sep).join('/') || '.'
}

function listedPolicy({ id, effect, actions, place, reason, remedy, needs }: Policy) {
  return {
    id,
    effect,
    actions,
    file: place?.file ?? null,
    line: place?.line ?? null,
    reason: reason ?? null,
    remedy: remedy ?? null,
    needs: needs ?? null,
  }
}
