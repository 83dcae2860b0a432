import { WaybillError } from '../../error.ts'
import { decisionArtifact } from '../../governance/index.ts'
import { insertArtifact, type ToolCall, type Tx } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import type { Payload } from '../runner.ts'

/** Not the type of the decisions that make up a scope: this one is about an attempt, and does not bind the next. */
const AT_CALL = 'tool_call'

/**
 * Keeps that the guard has refused what the scope of a task allows, as an artifact of the mission: once for each tool and
 * reason of an attempt. What was allowed is what the decision on the scope says, and stands in the trace.
 */
export async function storeRefusal(tx: Tx, call: ToolCall, at: number): Promise<void> {
  const { mission, task, attempt, tool, decision, policies } = call
  if (decision === 'allow' || policies.length === 0) return
  const about = JSON.stringify([mission, task, attempt, tool, policies])
  const reason = `the task ${task}, attempt ${attempt}, was refused the call`
  const artifact = decisionArtifact(
    {
      action: 'useTool',
      decision: 'deny',
      // By ids alone: what an agent has asked for stands in no artifact.
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
    // The same refusal, a moment ago.
    if (!(error instanceof WaybillError && error.code === 'conflict')) throw error
  }
}
