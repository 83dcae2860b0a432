import { listArtifacts, type Tx } from '../../store/index.ts'
import type { Payload } from '../runner.ts'

/** The parts of a mission that every answer is checked against. */
export interface MissionRecord {
  /** Rises when a graph or proposal is added: see `Run`. */
  readonly revision: number
  readonly envelope: Payload
  readonly graphs: readonly Payload[]
  readonly decisions: readonly Payload[]
  readonly proposals: readonly Payload[]
}

/** The number of missions to cache. */
const MOST = 64

/** Caches the graphs and decisions of missions, which can be large and are needed by every task. */
export class MissionRecords {
  private readonly known = new Map<string, MissionRecord>()

  /** Returns a mission at a revision; may include later additions. */
  async of(
    tx: Tx,
    { tenant, mission }: { readonly tenant: string; readonly mission: string },
    { revision, envelope }: Pick<MissionRecord, 'revision' | 'envelope'>,
  ): Promise<MissionRecord> {
    const key = JSON.stringify([tenant, mission])
    const known = this.known.get(key)
    if (known?.revision === revision) return known
    const [graphs, decisions, proposals] = await Promise.all([
      payloadsOf(tx, 'mission_task_graph', mission),
      payloadsOf(tx, 'policy_decision', mission),
      payloadsOf(tx, 'writeback_proposal', mission),
    ])
    const record = { revision, envelope, graphs, decisions, proposals }
    this.known.delete(key)
    this.known.set(key, record)
    const [oldest] = this.known.keys()
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest)
    return record
  }
}

async function payloadsOf(
  tx: Tx,
  name: 'mission_task_graph' | 'policy_decision' | 'writeback_proposal',
  mission: string,
): Promise<readonly Payload[]> {
  const list = await listArtifacts(tx, name, mission)
  return list.flatMap(({ payload }) => (payload ? [payload] : []))
}
