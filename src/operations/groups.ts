/** Summaries of operation groups, by the first word of the operations' names. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: 'Manage session state: phases, modes, gates and their evidence',
  pipeline: 'Show and run a pipeline of agents: done, ready and blocked units',
  lock: 'Lock the prompts of the manifest and verify them',
  log: 'Show, verify, export and prove the log',
  policy: 'Check and explain the policies for handoffs, tools, data and write-backs',
  mission: 'Run missions: durable graphs of agent tasks, with approvals',
  note: 'Note what the next handoff must hold, and list the notes',
  key: 'List, rotate and revoke keys',
}
