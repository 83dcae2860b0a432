/** The folder in which the user typed the command: npm changes it before a script runs, and says where it was. */
export function startedIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'start' && folder ? folder : process.cwd()
}

/** The environment for a child process whose output is passed on to a terminal. */
export function coloured(): NodeJS.ProcessEnv {
  return { ...process.env, FORCE_COLOR: '1' }
}
