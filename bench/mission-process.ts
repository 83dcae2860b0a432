/** A process with one worker or the bare engine, which allows one per process. Arguments select the mode; answers in JSON lines. */
import { randomUUID } from 'node:crypto'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { openGateway } from '../src/governance/index.ts'
import { openWorkerContext } from '../src/mission/open-worker-context.ts'
import { startWorker } from '../src/mission/run/worker.ts'
import { storageOf } from '../src/operations/log/storage.ts'
import { DURABLE, listRuns, openPool, openStore, urlInRole } from '../src/store/index.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { BareStart } from './bare-start.ts'
import { begin, LAST, resultOf, TEN, TENANT } from './workloads/store.ts'

const [mode = '', url = '', root = '', ...rest] = process.argv.slice(2)
const store = await openStore({ url })
const tell = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
/** Called for each task that a worker starts. */
let started = (_task: string) => {}
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

if (mode === 'worker') await beWorker(Number(rest[0]), Number(rest[1]))
else await beEngine(Number(rest[0]), mode === 'parts' ? new BareStart(root, url) : undefined)

/** Runs tasks that only wait `pause` milliseconds; standard input commands submit missions or end the process. */
async function beWorker(concurrency: number, pause: number): Promise<void> {
  const config = await loadConfig(root)
  const place = { now: Date.now(), root, cwd: root, version: '', databaseUrl: url }
  const gateway = await openGateway(root, config, {
    storage: storageOf({ ...place, stdin: async () => new Uint8Array() }, config),
    now: Date.now,
    worker: () => new URL('../src/ledger/file/worker.ts', import.meta.url),
    policyWorker: () => new URL('../src/governance/policy/worker.ts', import.meta.url),
  })
  const shop = openWorkerContext({ root, config, store, gateway, environment: {} })
  const worker = await startWorker({
    concurrency,
    tell: problem => tell({ problem: String(problem) }),
    shop: {
      ...shop,
      run: async (_agent, { mission, task, agent }) => {
        started(task.task_id)
        if (pause > 0) await sleep(pause)
        const { result_id: _, ...answer } = resultOf(mission.mission_id, task.task_id, {
          producer: agent,
        })
        return { is: 'returned', answer }
      },
    },
  })
  tell({ ready: true })
  for await (const line of lines()) {
    if (line.startsWith('missions'))
      tell({ ms: await timed(() => many(Number(line.split(' ')[1]))) })
    else if (line === 'dispatch') {
      const begun = new Promise<number>(resolve => {
        started = () => resolve(performance.now())
      })
      await begin(store, { a: [] })
      const committed = performance.now()
      tell({ ms: (await begun) - committed })
      await over()
    } else if (line.startsWith('idle')) {
      const before = process.cpuUsage()
      await sleep(Number(line.split(' ')[1]))
      const { user, system } = process.cpuUsage(before)
      tell({ percent: (user + system) / 10 / Number(line.split(' ')[1]) })
    } else if (line === 'end') break
  }
  await worker.stop()
  await gateway.close()
  await store.close()
  process.exit()
}

async function many(count: number): Promise<void> {
  let left = count
  const ending = new Promise<void>(resolve => {
    started = task => {
      if (task === LAST && --left === 0) resolve()
    }
  })
  await Promise.all(Array.from({ length: count }, () => begin(store, TEN)))
  await over(ending)
}

/** One poll for all missions, rarely until the last tasks have started, so that polling does not dominate the time. */
async function over(ending?: Promise<void>): Promise<void> {
  let isNear = !ending
  void ending?.then(() => {
    isNear = true
  })
  for (;;) {
    const [open] = await store.tenant(TENANT, tx => listRuns(tx, { limit: 1, state: 'running' }))
    if (!open) break
    await (isNear ? sleep(2) : Promise.race([ending, sleep(100)]))
  }
  const [failed] = await store.tenant(TENANT, tx => listRuns(tx, { limit: 1, state: 'failed' }))
  if (failed) throw new Error(JSON.stringify(failed))
}

/** The same graph with one queued workflow per task, which only runs `parts` and enqueues the tasks that become ready. */
async function beEngine(concurrency: number, parts?: BareStart): Promise<void> {
  const { by } = await store.isolation()
  const role = by === 'roles' ? DURABLE : undefined
  DBOS.setConfig({
    name: mode,
    systemDatabaseUrl: role ? urlInRole(url, role) : url,
    systemDatabasePool: await openPool(url, Math.max(4, Math.ceil(concurrency / 4)), role),
    applicationVersion: mode,
    executorID: randomUUID(),
    logLevel: 'error',
    runMigrations: false,
  })
  const left = new Map<string, number>()
  const ended = new Map<string, () => void>()
  const task = DBOS.registerWorkflow(
    async (mission: string, name: string) => {
      await parts?.start(mission, name)
      for (const [next, before] of Object.entries(TEN)) {
        if (!before.includes(name)) continue
        const key = `${mission}/${next}`
        const open = (left.get(key) ?? before.length) - 1
        left.set(key, open)
        if (open === 0)
          await DBOS.startWorkflow(task, { queueName: mode, workflowID: key })(mission, next)
      }
      if (name === LAST) ended.get(mission)?.()
    },
    { name: mode },
  )
  await DBOS.launch()
  await DBOS.registerQueue(mode, { minPollingIntervalMs: 20, workerConcurrency: concurrency })
  tell({ ready: true })
  for await (const line of lines()) {
    if (line === 'end') break
    const count = Number(line.split(' ')[1])
    const ms = await timed(() =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const mission = (await parts?.begin()) ?? randomUUID()
          const end = new Promise<void>(resolve => ended.set(mission, resolve))
          await DBOS.startWorkflow(task, { queueName: mode, workflowID: `${mission}/a` })(
            mission,
            'a',
          )
          await end
        }),
      ),
    )
    tell({ ms })
  }
  await DBOS.shutdown()
  await parts?.end()
  process.exit()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function* lines(): AsyncGenerator<string> {
  const { createInterface } = await import('node:readline')
  yield* createInterface({ input: process.stdin })
}
