/** The folder in which the user typed the command: npm changes it before a script runs, and says where it was. */
export function startedIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'start' && folder ? folder : process.cwd()
}

/** The environment of a command of the tour: what a log leaves in the user's state folder, it leaves in this one. */
export function tourEnvironment(stateHome: string, isColoured: boolean): NodeJS.ProcessEnv {
  return { ...process.env, XDG_STATE_HOME: stateHome, ...(isColoured && { FORCE_COLOR: '1' }) }
}
