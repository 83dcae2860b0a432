import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The repository's root. */
export const root = join(import.meta.dirname, '..')
/** The folder of the Python layer. */
export const python = join(root, 'python')

/** Runs a command in the Python layer and gives what it printed. */
export function run(command: string, args: readonly string[], cwd = python, input?: string) {
  const options = { cwd, encoding: 'utf8', ...(input === undefined ? {} : { input }) } as const
  const result = spawnSync(command, args, options)
  return { status: result.status, output: `${result.stdout ?? ''}${result.stderr ?? ''}` }
}

/** Tells whether a command can be run at all. */
export const works = (command: string, ...args: string[]) => run(command, args, root).status === 0

// The system's Python is the one with the Debian package; the first on the path may be another one.
const USABLE = 'import sys, jsonschema; sys.exit(sys.version_info < (3, 11))'
const interpreter = ['/usr/bin/python3', 'python3', '/usr/local/bin/python3'].find(name =>
  works(name, '-c', USABLE),
)
/** The Python that can run the layer, if there is one. */
export const python3 = interpreter ?? 'python3'

/** Runs that Python without the caller's settings, and leaves no compiled files behind. */
export const runPython = (args: readonly string[], cwd = python, input?: string) =>
  run(python3, ['-B', '-E', ...args], cwd, input)

/** What to add to the name of a test that may have to be skipped. */
export const without = (name: string, isThere: boolean) =>
  isThere ? '' : ` (skipped: ${name} is not installed)`
/** Whether there is one. */
export const hasPython = interpreter !== undefined
/** Why there is nothing to run, if so. */
export const NEEDS = without('Python 3.11 with jsonschema', hasPython)
