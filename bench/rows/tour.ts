import { spawn } from 'node:child_process'
import type { Figure } from '../figure.ts'
import { ENVIRONMENT } from '../measure.ts'
import { root, type Stage } from '../stage.ts'

/** Matches what `mission run` prints when all tasks are done. */
const FINISHED = /^✓ [0-9a-f-]{36} finished /m

/** `npm start` on a warm install, including npm: until its mission is finished, and until its end. */
export async function tour(stage: Stage): Promise<Figure[]> {
  const finished: number[] = []
  const ended: number[] = []
  for (let round = -1; round < (stage.quick ? 1 : 5); round++) {
    const taken = await takeTour()
    if (round < 0) continue
    finished.push(taken.finished)
    ended.push(taken.ended)
  }
  return [
    {
      what: '`npm start`, to the finished mission',
      unit: 'ms',
      ours: { name: 'waybill', times: finished },
      target: { kind: 'at-most', limit: 10_000 },
    },
    { what: '`npm start`, to its end', unit: 'ms', ours: { name: 'waybill', times: ended } },
  ]
}

function takeTour(): Promise<{ readonly finished: number; readonly ended: number }> {
  const start = performance.now()
  const since = () => performance.now() - start
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let finished: number | undefined
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
    if (finished === undefined && FINISHED.test(output)) finished = since()
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0 && finished !== undefined) resolve({ finished, ended: since() })
      else reject(new Error(`npm start ended with ${code}\n${output.slice(-2000)}`))
    })
  })
}
