/** What the operations of a group are about: those whose names begin with its word. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: 'Keep the state of a session: phases, modes, gates and the evidence for them',
  pipeline: 'See what a pipeline of agents has done, what is ready, and what is blocked',
}
