import { resolve } from 'node:path'
import { WaybillError } from '../error.ts'
import {
  type AuditTrust,
  auditTrustIn,
  auditTrustOf,
  readTrust,
  requireLogKey,
} from '../governance/index.ts'
import { examineImport, importMission, LARGEST_BUNDLE } from '../mission/index.ts'
import { cannotRead, loadConfig, readOwnFile } from '../workspace/index.ts'
import { TENANT_INPUT, tenantOf, withStore } from './mission/open.ts'
import type { MissionImportOutput } from './mission-import/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['bundle'],
  properties: {
    bundle: {
      type: 'string',
      positional: true,
      path: true,
      placeholder: 'file',
      description: `The bundle, at most ${LARGEST_BUNDLE / 2 ** 20} MiB (- reads standard input).`,
    },
    key: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'key',
      description:
        'Trust only these keys and not the configuration: the verifier key of its log and those of its gateway.',
    },
    unproved: {
      type: 'boolean',
      description: 'Import it although no trusted log proves its handoffs and decisions.',
    },
    digest: {
      type: 'string',
      placeholder: 'sha256',
      description: 'The digest that the export printed; any other bundle is refused.',
    },
    dryRun: {
      type: 'boolean',
      description: 'Verify the bundle offline and show why it would be refused; store nothing.',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Verifies a bundle and imports its mission. */
export default defineOperation({
  name: 'mission import',
  summary: 'Verify a bundle and import its mission',
  description:
    'Verifies digests, contracts, states, decisions and log proofs; a bundle with any fault is refused as a whole. Its log ' +
    'is trusted when waybill.yaml lists the keys or --key gives them. Only an ended or paused mission can be imported; ' +
    'importing the same bundle again changes nothing. Exits with 1 when the bundle is refused.',
  examples: [
    {
      command: 'waybill mission import quiet-hours.mission.jsonl --dry-run',
      does: 'verify a bundle',
    },
    { command: 'waybill mission import quiet-hours.mission.jsonl', does: 'import it' },
  ],
  // Imported facts are trusted from then on.
  actor: 'human',
  effect: 'write',
  input,
  run,
  failed: ({ outcome }) => outcome === 'refused',
})

type Input = TypeOf<typeof input>

async function run(given: Input, app: App): Promise<MissionImportOutput> {
  const bytes = await read(given.bundle, app)
  const trust = await trustFor(given, app)
  const { digest } = given
  const { now, signal } = app
  const tenant = tenantOf(given)
  const by = { tenant, now, trust, signal, ...(digest !== undefined && { root: digest }) }
  if (given.dryRun) {
    const { verified, differences } = await examineImport(bytes, by)
    return outputOf(differences.length === 0 ? 'verified' : 'refused', verified, differences)
  }
  const { accepted, isNew, verified, differences } = await withStore(
    app,
    store => importMission(store, bytes, by),
    { migrated: true },
  )
  return outputOf(!accepted ? 'refused' : isNew ? 'imported' : 'was-there', verified, differences)
}

async function trustFor({ key, unproved }: Input, { root }: App): Promise<AuditTrust | undefined> {
  if (unproved) {
    if (key === undefined) return undefined
    throw new WaybillError('usage', '--unproved and --key cannot be combined', {
      hint: 'omit --key',
    })
  }
  return key
    ? requireLogKey(auditTrustIn(key))
    : auditTrustOf(readTrust(await loadConfig(root)), undefined)
}

async function read(path: string, { cwd, stdin }: App): Promise<Uint8Array> {
  if (path === '-') return stdin(LARGEST_BUNDLE)
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(resolve(cwd, path), LARGEST_BUNDLE)
  } catch (cause) {
    throw cannotRead(path, cause)
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `${path} does not exist`)
}

type Verified = Awaited<ReturnType<typeof examineImport>>['verified']

function outputOf(
  outcome: MissionImportOutput['outcome'],
  { replayed, tenant, exportedAt, origin, entries, evidence }: Verified,
  differences: Verified['differences'],
): MissionImportOutput {
  return {
    outcome,
    mission: replayed?.mission ?? null,
    tenant,
    state: replayed?.state ?? null,
    artifacts: replayed?.artifacts ?? 0,
    tasks: replayed?.tasks ?? 0,
    root: replayed?.root ?? null,
    ...{ exportedAt, origin, entries, evidence },
    differences: differences.map(({ code, path, message }) => ({ code, path, message })),
  }
}
