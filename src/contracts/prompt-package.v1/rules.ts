import { quote, type Rules } from '../../contract/index.ts'
import type { MissionFacts } from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission, toolsAllowed } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { PromptPackage } from './schema.ts'

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
  'tools-within-task': {
    severity: 'error',
    summary: 'The package gives the agent only tools that its task allows.',
    why: 'The plan decides which tools a task may use; a prompt must not extend it.',
    reads: ['/task_id', '/tool_scope'],
    needs: ['graphs'],
    applies: ({ tool_scope }) => tool_scope.length > 0,
    *check({ task_id, tool_scope }, { facts: { graphs = [] } }) {
      const tasks = graphs.flatMap(graph => graph.tasks).filter(task => task.task_id === task_id)
      // If two tasks share an id, both must allow the tool.
      const allowed = tasks.map(task => new Set(task.allowed_tools))
      for (const [i, tool] of tool_scope.entries()) {
        if (allowed.every(tools => tools.has(tool))) continue
        yield {
          path: ['tool_scope', i],
          message: `the task ${quote(task_id)} does not allow the tool ${quote(tool)}`,
          hint: 'remove the tool, or have the planner allow it',
        }
      }
    },
  },
  'tools-allowed': toolsAllowed('/tool_scope/*'),
} satisfies Rules<PromptPackage, MissionFacts>
