import { spawn } from 'node:child_process'

/** The variable by which every process of a run is known, wherever it went. */
export const MARK = 'WAYBILL_RUN'

/** How long it may take to hear that it is not needed any longer, in milliseconds. */
const PATIENCE = 1000

/** A small program that outlives us, so that what we started does not. */
export interface Watch {
  /** Says which group of processes the run has. */
  tell(group: number): void
  /** There is nothing to watch over any more. */
  end(): Promise<void>
}

/**
 * Ends a run when whoever started it is gone.
 *
 * It reads the group of the run, then waits for a word. What comes instead, when its other end has been killed, is the
 * end of its input. A shell does it, because it takes 2 ms and 1 MB; another Node would take 30 ms and 40 MB for each run.
 * It looks several times: a process that was just being started may not have had the mark yet.
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
    # Whoever leads a group takes it along: the run may have begun before its group was told.
    kill -s KILL -- "-$process" 2>/dev/null && found=3
    kill -s KILL "$process" 2>/dev/null && found=3
  done
  sleep 0.1
done
`

/** Starts to watch over a run that is about to begin, by its mark; `undefined` where there is no shell to be had. */
export function startWatch(mark: string, path: string | undefined): Watch | undefined {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'waybill-watch', mark], {
    cwd: '/',
    // A session of its own: what ends us, from a terminal or by our group, does not end it.
    detached: true,
    env: path === undefined ? {} : { PATH: path },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // Somebody may have ended it; the run goes on.
  child.stdin.on('error', () => {})
  if (child.pid === undefined) return undefined
  return {
    tell: group => {
      // To a shell, group 0 is its own, and 1 is everybody.
      if (group > 1) child.stdin.write(`${group}\n`)
    },
    end: async () => {
      // The second line is the word, whether or not the group was told.
      child.stdin.end('\ndone\n')
      // Somebody may have stopped it, so that it hears nothing.
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await gone
      clearTimeout(late)
    },
  }
}
