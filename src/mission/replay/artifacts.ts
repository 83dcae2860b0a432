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

/** Where an artifact stands in a mission, as a JSON Pointer. */
export function placeOf({ name, id }: Pick<MissionArtifact, 'name' | 'id'>): string {
  return formatPointer(['artifacts', name, id])
}

/** What an artifact says of itself; of an erased one, what was kept. */
export function saidBy({ payload, tombstone }: MissionArtifact): Payload {
  return payload ?? tombstone ?? {}
}

/** What is wrong with artifacts taken one by one: digests, ids, mission and tenant. */
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
        message: 'it says itself that it is something else, or of another mission',
      }
    const { name, digest, payload } = artifact
    if (payload === null) continue
    const text = canonicalJson(payload)
    const computed = typeof text === 'string' ? sha256(text) : 'of nothing that is JSON'
    if (computed !== digest)
      yield {
        code: 'replay/digest-differs',
        path,
        message: `its payload has the digest ${computed}, and ${digest} is stated`,
      }
    if (name === 'mission_envelope' && payload.tenant_id !== tenant)
      yield {
        code: 'replay/tenant-differs',
        path: `${path}/tenant_id`,
        message: 'the envelope names another tenant than the one whose mission it is',
      }
  }
}

function isItself(artifact: MissionArtifact, mission: string): boolean {
  const { name, id, digest, payload } = artifact
  const said = saidBy(artifact)
  if (String(said.mission_id).toLowerCase() !== mission) return false
  // A tombstone keeps no more than the columns of its row.
  if (payload !== null && payload.schema_name !== name) return false
  if (name === 'mission_envelope') return id === mission
  const key = sortOf(name)?.idKey
  return id === (key === undefined ? digest : said[key])
}

/**
 * What the contracts have against the artifacts of a mission, all together.
 *
 * Where something was erased, rules that look at other artifacts are not asked: what they would miss is known to have
 * been there.
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
      const told = `${code}: ${message}`
      yield { code: 'replay/artifact-refused', path: base + path, message: told }
    }
  }
}

/** Whether a code speaks of an artifact by itself, whatever else the mission has. */
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
