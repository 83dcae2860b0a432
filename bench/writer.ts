import { WaybillError } from '../src/error.ts'
import stateAdvance from '../src/operations/state-advance.ts'

/** A process that moves the state in a folder between two phases as often as it is told, and counts what came of it. */
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
    const to = i % 2 === 0 ? '2' : '2.1'
    const { accepted } = await stateAdvance.run({ to }, { ...app, now: Date.now() })
    if (!accepted) throw new Error(`the move to ${to} was refused`)
    count.moved++
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'conflict') throw error
    count.conflicts++
  }
}
process.stdout.write(JSON.stringify(count))
