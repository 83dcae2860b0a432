import { WaybillError } from '../src/error.ts'
import stateAdvance from '../src/operations/state-advance.ts'

/**
 * A process that advances the state in a folder a number of times and counts the outcomes.
 *
 * Each move goes to phase 2 with a unique next step, so no two moves write the same bytes, and none finds its change
 * already made by another process.
 */
const [root = '', times = ''] = process.argv.slice(2)
const count = { moved: 0, conflicts: 0 }
const app = {
  root,
  cwd: root,
  version: '0.0.0',
  stdin: () => Promise.resolve(new Uint8Array()),
}
for (let i = 0; i < Number(times); i++) {
  try {
    const next = `Phase2.1-Move${i}Of${process.pid}`
    const { accepted } = await stateAdvance.run({ to: '2', next }, { ...app, now: Date.now() })
    if (!accepted) throw new Error(`the move to ${next} was refused`)
    count.moved++
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'conflict') throw error
    count.conflicts++
  }
}
process.stdout.write(JSON.stringify(count))
