/** A tool for operations whose names do not start with its name. */
interface SharedTool {
  /** The summary of the tool. */
  readonly summary: string
  readonly operations: readonly string[]
}

/**
 * Tools shared by operations of several groups. Each tool takes part of every agent's context in every session, so
 * there are at most twelve: rarely used operations are grouped by topic.
 */
export const SHARED: Readonly<Record<string, SharedTool>> = {
  contract: {
    summary: 'Explain rules and schemas, upgrade old documents, and adopt notes in other shapes',
    operations: ['explain', 'schema', 'upgrade', 'adopt'],
  },
  chain: {
    summary:
      'Follow handoff documents or an id through the log, and measure what a text kept of statements',
    operations: ['chain', 'trace', 'score'],
  },
  handoff: {
    summary: 'Note lines for the next handoff, hand work over, and receive handoffs',
    operations: ['handoff', 'note', 'note list', 'send', 'receive', 'accept'],
  },
  work: {
    summary: 'Show the progress of pipelines and missions, what is ready, and dependencies',
    operations: [
      ...['pipeline status', 'pipeline next', 'pipeline graph', 'pipeline set'],
      ...['mission status', 'mission list', 'mission show', 'mission graph', 'mission replay'],
    ],
  },
  agents: {
    summary: 'Show which agents, keys and policies are trusted, and explain decisions',
    operations: ['lock verify', 'key list', 'policy check', 'policy explain'],
  },
}

/**
 * Operations that the program of an agent calls at its events, over standard input, and the agent itself does not. To
 * offer one as a tool, move it to a row of the table above.
 */
export const OF_PROGRAMS: readonly string[] = ['hook']

const TOOL_OF = new Map(
  Object.entries(SHARED).flatMap(([tool, { operations }]) =>
    operations.map(name => [name, tool] as const),
  ),
)

/** The tool of an operation: from the table, else its group or its own name. */
export function toolOf(operation: string): string {
  return TOOL_OF.get(operation) ?? operation.split(' ')[0] ?? operation
}

/** The action name of an operation within a tool: its words, without the name of the tool. */
export function actionOf(operation: string, tool: string): string {
  const [first, ...rest] = operation.split(' ')
  return (first === tool && rest.length > 0 ? rest : operation.split(' ')).join('-')
}
