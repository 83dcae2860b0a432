import { WaybillError } from '../../error.ts'
import { decisionArtifact } from '../../governance/index.ts'
import { insertArtifact, type ToolCall, type Tx } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Payload } from '../runner.ts'

/** A type of its own: this decision covers one attempt and does not bind the next. */
const AT_CALL = 'tool_call'

/**
 * Stores a refused call of a tool in scope as an artifact of the mission, once for each tool and reason of an attempt.
 * Allowed calls are covered by the scope decision and the trace.
 */
export async function storeRefusal(tx: Tx, call: ToolCall, at: number): Promise<void> {
  const { mission, task, attempt, tool, decision, policies } = call
  if (decision === 'allow' || policies.length === 0) return
  const about = JSON.stringify([mission, task, attempt, tool, policies])
  const reason = `the task ${task}, attempt ${attempt}, was denied the call`
  const artifact = decisionArtifact(
    {
      action: 'useTool',
      decision: 'deny',
      // Ids only: the arguments of the agent are not stored.
      determining: policies.map(id => ({ id, effect: 'none', reason })),
    },
    {
      decisionId: `pol_call_${sha256(about).slice(0, 32)}`,
      subject: tool,
      mission: { id: mission },
      at,
    },
  )
  try {
    await insertArtifact(tx, { ...artifact, decision_type: AT_CALL } as unknown as Payload)
  } catch (error) {
    // The same denial is already stored.
    if (!(error instanceof WaybillError && error.code === 'conflict')) throw error
  }
}
