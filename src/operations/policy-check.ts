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

/** Validates the policies of a repository and lists them. */
export default defineOperation({
  name: 'policy check',
  summary: 'Validate and list the policies',
  description:
    'Parses every policy strictly and compares it with the schema: the facts and types that it names must exist, and ' +
    'optional facts must be tested first. Reports all problems at once. With an error, no decision is made, so nothing is ' +
    'sent or received. Permits for handoffs are refused: policies only narrow what the rules allow. Warns of policies that ' +
    'can never apply by their types and of agents missing from the manifest and waybill.yaml; conditions that no values ' +
    'satisfy are not detected. Send and receive evaluate handoff policies; missions evaluate those on tools, data and ' +
    'write-backs. Exits with 1 when there are errors.',
  examples: [
    { command: 'waybill policy check', does: 'validate the configured policies' },
    { command: 'waybill policy check drafts', does: 'validate drafts' },
    {
      command: "waybill policy check --format json | jq -r '.policies[].id'",
      does: 'list the ids of the policies',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => check(given, app, false),
  failed: ({ accepted }) => !accepted,
})

/** A problem with its source line. */
export type FaultForPeople = PolicyCheckOutput['diagnostics'][number] & {
  readonly excerpt?: string
}

/** The output of `policy check` for people. */
export interface PolicyCheckForPeople extends PolicyCheckOutput {
  readonly diagnostics: readonly FaultForPeople[]
}

/** Like `policy check`, with the source line of each problem. */
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

/** Reads the configuration for its agents; an invalid one does not fail a check of named policies. */
async function configIfSound(root: string): Promise<Config | undefined> {
  try {
    return await loadConfig(root)
  } catch (cause) {
    if (cause instanceof WaybillError && cause.code === 'configuration') return undefined
    throw cause
  }
}

/** Warns of agents that neither the manifest nor waybill.yaml has, or that these cannot be read. */
async function agentFaults(
  named: Inspected['agents'],
  config: Config | undefined,
  root: string,
): Promise<PolicyFault[]> {
  if (!config) return agentsNotCompared(named, `${CONFIG_FILE} is invalid`)
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
  if (!stats) throw new WaybillError('not-found', `the folder ${named} does not exist`)
  if (!stats.isDirectory()) {
    throw new WaybillError('usage', `${named} is a file`, { hint: 'name its folder' })
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
