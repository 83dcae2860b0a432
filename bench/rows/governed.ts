import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { type Contender, race, wholeProcess } from '../measure.ts'
import { root, type Stage } from '../stage.ts'
import { writeAgents } from '../workloads/agents.ts'

/** Locks and verifies many agents, and a tenth of them, against only reading and hashing the same bytes. */
export async function manyAgents(stage: Stage): Promise<Figure[]> {
  const [many, few] = [10_000, 1_000].map(count => {
    const cwd = stage.folder(`agents-${count}`)
    writeAgents(cwd, count)
    return cwd
  }) as [string, string]
  // Ensures that a lock exists, whichever contender runs first.
  await locking(stage, many).run()
  const [locked, verified, bare, lockedFew, bareFew] = await race(stage.quick ? 3 : 9, [
    locking(stage, many),
    run(stage, 'verify', many),
    hashing(many),
    locking(stage, few),
    hashing(few),
  ])
  if (!locked || !verified || !bare || !lockedFew || !bareFew) return []
  const note = 'of 2 KB each'
  return [
    { what: '`lock` of 10,000 agents', unit: 'ms', ours: locked, theirs: bare, note },
    { what: '`lock verify` of 10,000 agents', unit: 'ms', ours: verified, theirs: bare, note },
    { what: '`lock` of 1,000 agents', unit: 'ms', ours: lockedFew, theirs: bareFew },
  ]
}

/** Starts without a lock, so that every round writes it. */
function locking(stage: Stage, cwd: string): Contender {
  const { name, run: lock } = run(stage, undefined, cwd)
  return {
    name,
    run: () => {
      rmSync(join(cwd, 'prompt-lock.json'), { force: true })
      return lock()
    },
  }
}

function run({ clone }: Stage, verb: string | undefined, cwd: string): Contender {
  const args = ['lock', ...(verb === undefined ? [] : [verb]), '--format', 'json']
  return wholeProcess('waybill', { program: clone.program, args, cwd })
}

function hashing(cwd: string): Contender {
  const args = [join(root, 'bench/hash.mjs'), join(cwd, 'domains')]
  return wholeProcess('reading and hashing alone', { program: process.execPath, args, cwd })
}
