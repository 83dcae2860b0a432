import { listArtifacts, type Tx } from '../../store/index.ts'
import type { Payload } from '../runner.ts'

/** What never changes while a mission runs, but for graphs and decisions that are added. */
export interface MissionRecord {
  readonly envelope: Payload
  readonly graphs: readonly Payload[]
  readonly decisions: readonly Payload[]
}

/** How many missions a worker remembers. */
const MOST = 64

/** Remembers the graphs and decisions of missions, which can be large and are asked for by every task. */
export class MissionRecords {
  private readonly known = new Map<string, MissionRecord>()

  /** What a mission has, with the graph in which a task stands: read again only where that is not known. */
  async of(
    tx: Tx,
    { tenant, mission, task }: { tenant: string; mission: string; task: string },
    envelope: Payload,
  ): Promise<MissionRecord> {
    const key = JSON.stringify([tenant, mission])
    const known = this.known.get(key)
    if (known && hasTask(known, task)) return known
    const [graphs, decisions] = await Promise.all([
      listArtifacts(tx, 'mission_task_graph', mission),
      listArtifacts(tx, 'policy_decision', mission),
    ])
    const payloads = (list: typeof graphs) =>
      list.flatMap(({ payload }) => (payload ? [payload] : []))
    const record = { envelope, graphs: payloads(graphs), decisions: payloads(decisions) }
    this.known.delete(key)
    this.known.set(key, record)
    const [oldest] = this.known.keys()
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest)
    return record
  }
}

function hasTask({ graphs }: MissionRecord, task: string): boolean {
  return graphs.some(({ tasks }) => (tasks as Payload[]).some(({ task_id }) => task_id === task))
}
