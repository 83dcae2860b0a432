import { delimiter, dirname } from 'node:path'

/** The folder in which the user typed the command: npm changes it before a script runs, and says where it was. */
export function startedIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'start' && folder ? folder : process.cwd()
}

/** The environment of a command of the tour: what a log leaves in the user's state folder, it leaves in this one. */
export function tourEnvironment(stateHome: string, isColoured: boolean): NodeJS.ProcessEnv {
  // The tour leaves no trace, so it keeps away from a database that somebody has for something else.
  const { DATABASE_URL: _, PATH = '', ...rest } = process.env
  return {
    ...rest,
    // Agents are programs for the Node that runs the tour; another may be too old for them.
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    XDG_STATE_HOME: stateHome,
    ...(isColoured && { FORCE_COLOR: '1' }),
  }
}

/** Whether the agents of the mission are to be a model: its key is where waybill.yaml says that it is. */
export function hasModelKey(): boolean {
  return Boolean(process.env.NUDGE_MODEL_KEY)
}
