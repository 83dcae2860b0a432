import { contractsIn, loadContract } from '../../contracts/index.ts'
import { formatPointer } from '../../document/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { MissionArtifact, MissionSnapshot } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { sortOf } from '../plan/artifacts.ts'
import { checkEach } from '../plan/check.ts'
import type { Payload } from '../runner.ts'
import type { Difference } from './codes.ts'
import type { Pause } from './pause.ts'

/** The JSON Pointer of an artifact in a mission. */
export function placeOf({ name, id }: Pick<MissionArtifact, 'name' | 'id'>): string {
  return formatPointer(['artifacts', name, id])
}

/** The content of an artifact, or the tombstone of an erased one. */
export function saidBy({ payload, tombstone }: MissionArtifact): Payload {
  return payload ?? tombstone ?? {}
}

/** Checks the digest, id, mission and tenant of each artifact. */
export function* inArtifacts(
  { mission, artifacts }: MissionSnapshot,
  tenant: string,
): Iterable<Difference> {
  for (const artifact of artifacts) {
    const path = placeOf(artifact)
    if (!isItself(artifact, mission))
      yield {
        code: 'replay/id-differs',
        path,
        message: 'the artifact has another kind, id or mission than it is stored under',
      }
    const { name, digest, payload } = artifact
    if (payload === null) continue
    const text = canonicalJson(payload)
    const computed = typeof text === 'string' ? sha256(text) : 'of invalid JSON'
    if (computed !== digest)
      yield {
        code: 'replay/digest-differs',
        path,
        message: `its payload has the digest ${computed}, but ${digest} is recorded`,
      }
    if (name === 'mission_envelope' && payload.tenant_id !== tenant)
      yield {
        code: 'replay/tenant-differs',
        path: `${path}/tenant_id`,
        message: 'the envelope names another tenant than the owner of the mission',
      }
  }
}

function isItself(artifact: MissionArtifact, mission: string): boolean {
  const { name, id, digest, payload } = artifact
  const content = saidBy(artifact)
  if (String(content.mission_id).toLowerCase() !== mission) return false
  // A tombstone has only the columns of its row.
  if (payload !== null && payload.schema_name !== name) return false
  if (name === 'mission_envelope') return id === mission
  const key = sortOf(name)?.idKey
  return id === (key === undefined ? digest : content[key])
}

/**
 * Checks all artifacts of a mission against their contracts. If some were erased, rules that look at other artifacts
 * are skipped, since they would report the erased ones.
 */
export async function* inContracts(
  { artifacts }: MissionSnapshot,
  now: number,
  pause: Pause,
): AsyncIterable<Difference> {
  const kept = artifacts.filter(({ payload }) => payload !== null)
  const isWhole = kept.length === artifacts.length
  const payloads = kept.map(({ payload }) => payload ?? {})
  let i = 0
  for await (const { diagnostics } of checkEach(payloads, now, pause)) {
    const artifact = kept[i++]
    if (!artifact) continue
    const base = placeOf(artifact)
    for (const { code, severity, path, message } of diagnostics) {
      if (severity !== 'error' || !(isWhole || (await isOfItself(code)))) continue
      const detail = `${code}: ${message}`
      yield { code: 'replay/artifact-refused', path: base + path, message: detail }
    }
  }
}

/** Reports whether a rule looks at one artifact alone. */
async function isOfItself(code: string): Promise<boolean> {
  const slash = code.indexOf('/')
  const [contractName, rule] = [code.slice(0, slash), code.slice(slash + 1)]
  if (rule === 'not-checked') return false
  const contract = contractsIn('json').find(({ name }) => name === contractName)
  if (!contract) return true
  const { rules } = await loadContract(contract)
  const { needs = [], uses = [] } = rules[rule] ?? {}
  return needs.length === 0 && uses.length === 0
}
