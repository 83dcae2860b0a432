import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { type Contender, race, wholeProcess } from '../measure.ts'
import { root, type Stage } from '../stage.ts'
import { writeAgents } from '../workloads/agents.ts'

/** Many agents locked and verified, against reading and hashing the same bytes and nothing else; and a tenth of them. */
export async function manyAgents(stage: Stage): Promise<Figure[]> {
  const [many, few] = [10_000, 1_000].map(count => {
    const cwd = stage.folder(`agents-${count}`)
    writeAgents(cwd, count)
    return cwd
  }) as [string, string]
  // Whichever comes first, there is a lock to verify.
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

/** From no lock at all, so that every round writes it. */
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
  const args = [join(root, 'decisionContext/hash.mjs'), join(cwd, 'domains')]
  return wholeProcess('reading and hashing alone', { program: process.execPath, args, cwd })
}
