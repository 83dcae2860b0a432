/** What the operations of a group are about: those whose names begin with its word. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: 'Keep the state of a session: phases, modes, gates and the evidence for them',
  pipeline: 'See what a pipeline of agents has done, what is ready, and what is blocked',
  lock: 'Pin the prompts of the manifest, and see whether they are still the ones that were pinned',
  log: 'See what was recorded, show that nothing was changed, and prove it to others',
  policy:
    'See by which policies it is decided what may be handed over, used, read and written back',
  mission: 'Run missions: graphs of tasks that agents do, durably, with approvals',
  key: 'See whose keys count, and give new ones or revoke them',
}
