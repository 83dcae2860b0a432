/**
 * A worker as a test starts it: `node mission-worker.ts <concurrency> [step] [clock]` kills itself before a step of a
 * task, and its clock is wrong by so many milliseconds.
 */
import { once } from 'node:events'
import { openApp } from '../src/app.ts'
import { startWorking, withWorks } from '../src/operations/mission/working.ts'

const [concurrency = '4', killedAt = '', wrong = '0'] = process.argv.slice(2)
const clock = () => Date.now() + Number(wrong)
const app = openApp({ tell: line => void process.stderr.write(`${line}\n`) }, 'test')
const stopping = once(process, 'SIGTERM')

await withWorks({ ...app, now: clock(), clock }, async works => {
  const worker = await startWorking(works, {
    concurrency: Number(concurrency),
    onStep: step => {
      if (step === killedAt) process.kill(process.pid, 'SIGKILL')
    },
  })
  process.stdout.write('started\n')
  await stopping
  await worker.stop()
})
process.exit()
