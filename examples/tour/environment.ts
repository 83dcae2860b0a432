import { delimiter, dirname } from 'node:path'

/** The folder in which the user ran the command: npm changes it for scripts and passes the original. */
export function startedIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'start' && folder ? folder : process.cwd()
}

/** The environment of the tour's commands, with the given state folder instead of the user's. */
export function tourEnvironment(stateHome: string, isColoured: boolean): NodeJS.ProcessEnv {
  // Do not use the user's own database, since the tour leaves no trace.
  const { DATABASE_URL: _, ...rest } = process.env
  return {
    ...rest,
    PATH: searchPath(),
    XDG_STATE_HOME: stateHome,
    ...(isColoured && { FORCE_COLOR: '1' }),
  }
}

/** The search path, with the Node of the tour first: another one may be too old for the agents. */
function searchPath(): string {
  return [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
}

/** Whether to run the agents on a model: its key is set in the variable that waybill.yaml names. */
export function hasModelKey(): boolean {
  return Boolean(process.env.NUDGE_MODEL_KEY)
}

/** The base URL of the model, if not that of its provider, such as a proxy. */
export function modelUrl(): string | undefined {
  return process.env.NUDGE_MODEL_URL || undefined
}
