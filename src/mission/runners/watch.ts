import { spawn } from 'node:child_process'

/** The environment variable that marks every process of a run. */
export const MARK = 'WAYBILL_RUN'

/** How long the watcher may take to exit, in milliseconds. */
const PATIENCE = 1000

/** A shell process that outlives this one, to end what it started. */
export interface Watch {
  /** Tells the watcher the process group of the run. */
  tell(group: number): void
  /** Stops watching. */
  end(): Promise<void>
}

/**
 * Ends a run when its parent dies. The script reads the process group, then waits for a word; end of input instead
 * means that the parent was killed. A shell takes 2 ms and 1 MB per run, another Node 30 ms and 40 MB. It searches
 * repeatedly, since a starting process may not have the mark yet.
 */
const SCRIPT = `
trap '' HUP INT TERM
read -r group
read -r word && exit
found=3
rounds=0
while [ $found -gt 0 ] && [ $rounds -lt 50 ]; do
  found=$((found - 1))
  rounds=$((rounds + 1))
  if [ -n "$group" ] && kill -s KILL -- "-$group" 2>/dev/null; then found=3; fi
  for file in $(grep -ls "${MARK}=$1" /proc/[0-9]*/environ 2>/dev/null); do
    process=\${file#/proc/}
    process=\${process%/environ}
    # Kill the group of a leader too: the run may have begun before its group was sent.
    kill -s KILL -- "-$process" 2>/dev/null && found=3
    kill -s KILL "$process" 2>/dev/null && found=3
  done
  sleep 0.1
done
`

/** Starts a watcher for a run about to begin; undefined without a shell. */
export function startWatch(mark: string, path: string | undefined): Watch | undefined {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'waybill-watch', mark], {
    cwd: '/',
    // Its own session, so that a terminal or group signal does not end it.
    detached: true,
    env: path === undefined ? {} : { PATH: path },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // The watcher may have been killed; the run continues.
  child.stdin.on('error', () => {})
  if (child.pid === undefined) return undefined
  return {
    tell: group => {
      // Group 0 would be the shell's own, and 1 all processes.
      if (group > 1) child.stdin.write(`${group}\n`)
    },
    end: async () => {
      // The second line is the word, whether or not a group was sent.
      child.stdin.end('\ndone\n')
      // A stopped watcher does not read its input.
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await gone
      clearTimeout(late)
    },
  }
}
