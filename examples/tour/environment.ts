import { delimiter, dirname } from 'node:path'

/** The folder in which the user typed the command: npm changes it before a script runs, and says where it was. */
export function startedIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'start' && folder ? folder : process.cwd()
}

/** The environment of a command of the tour: what a log leaves in the user's state folder, it leaves in this one. */
export function tourEnvironment(stateHome: string, isColoured: boolean): NodeJS.ProcessEnv {
  // The tour leaves no trace, so it keeps away from a database that somebody has for something else.
  const { DATABASE_URL: _, ...rest } = process.env
  return {
    ...rest,
    PATH: searchPath(),
    XDG_STATE_HOME: stateHome,
    ...(isColoured && { FORCE_COLOR: '1' }),
  }
}

/** Where programs are looked for. Agents are programs for the Node that runs the tour; another may be too old for them. */
function searchPath(): string {
  return [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
}

/** Whether the agents of the mission are to be a model: its key is where waybill.yaml says that it is. */
export function hasModelKey(): boolean {
  return Boolean(process.env.NUDGE_MODEL_KEY)
}

/** Where that model is asked, if not at its provider: a proxy of the company, say. */
export function modelUrl(): string | undefined {
  return process.env.NUDGE_MODEL_URL || undefined
}
