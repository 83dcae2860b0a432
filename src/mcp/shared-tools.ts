/** A tool for operations whose names do not begin with its name. */
interface SharedTool {
  /** What its operations are about. */
  readonly summary: string
  /** Their names. */
  readonly operations: readonly string[]
}

/**
 * The tools that operations share beyond their groups. Each tool costs every agent a part of its context in every
 * session, so there are at most twelve: what is seldom wanted stands together by what it is about.
 */
export const SHARED: Readonly<Record<string, SharedTool>> = {
  contract: {
    summary: 'Understand what documents are checked against, and bring old ones up to date',
    operations: ['explain', 'schema', 'upgrade'],
  },
  chain: {
    summary:
      'Follow what happened: from one handoff document to the next, or by an id through the log',
    operations: ['chain', 'trace'],
  },
  handoff: {
    summary: 'Hand work over to an agent, and take over what was handed over',
    operations: ['send', 'receive', 'accept'],
  },
  work: {
    summary:
      'See what pipelines and missions of agents have done, what is ready, and what waits for what',
    operations: [
      ...['pipeline status', 'pipeline next', 'pipeline graph', 'pipeline set'],
      ...['mission status', 'mission list', 'mission show', 'mission graph', 'mission replay'],
    ],
  },
  agents: {
    summary: 'See which agents, keys and policies count, and why something was decided',
    operations: ['lock verify', 'key list', 'policy check', 'policy explain'],
  },
}

const TOOL_OF = new Map(
  Object.entries(SHARED).flatMap(([tool, { operations }]) =>
    operations.map(name => [name, tool] as const),
  ),
)

/** The tool that an operation is called by: one that the table names, else its group or itself. */
export function toolOf(operation: string): string {
  return TOOL_OF.get(operation) ?? operation.split(' ')[0] ?? operation
}

/** What an operation is called within a tool: its words, without the first one where that is the name of the tool. */
export function actionOf(operation: string, tool: string): string {
  const [first, ...rest] = operation.split(' ')
  return (first === tool && rest.length > 0 ? rest : operation.split(' ')).join('-')
}
