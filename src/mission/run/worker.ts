import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { counted } from '../../contract/index.ts'
import {
  beginningClient,
  DURABLE,
  type KnownWorker,
  type Lease,
  openLease,
  openPool,
} from '../../store/index.ts'
import { takeOverDelivery } from '../approvals/deliver.ts'
import { isReserved } from '../approvals/reserved.ts'
import type { Stop } from '../runner.ts'
import { type Attempt, type Begun, type Durable, openDurable } from './durable.ts'
import { executeAttempt, openCommon } from './execute.ts'
import { OrphanDetector } from './orphan-detector.ts'
import { Outage } from './outage.ts'
import { isSilentBefore } from './silence.ts'
import { stillCounts, takeOver, whyGivenBack } from './take-over.ts'
import { DeathWatch, RENEWAL, SetBack } from './watch.ts'
import type { WorkerContext } from './worker-context.ts'

/** One process that does tasks of missions. */
export interface Worker {
  readonly id: string
  /** How many attempts it is at. */
  readonly busy: number
  /** Aborted where it leaves by itself; its reason is why. */
  readonly left: AbortSignal
  /** Ends what runs, gives it back to the queue, and leaves. */
  stop(): Promise<void>
}

/** How a worker is started. */
export interface WorkerOptions {
  readonly shop: Omit<WorkerContext, 'worker'>
  /** How many tasks it does at once. */
  readonly concurrency: number
  /** Told what goes wrong beside the tasks themselves. */
  readonly tell?: (problem: unknown) => void
}

/** Starts the worker of this process: it takes tasks from the queue, and over from workers that died. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new RunningWorker(options)
  await worker.start().catch(async error => {
    // What it has opened by then would keep the process alive.
    await worker.stop().catch(() => {})
    throw error
  })
  return worker
}

interface Running {
  readonly attempt: Attempt
  readonly controller: AbortController
}

/** After how many renewals of the lease the queue is asked what it thinks that this worker does. */
const BETWEEN_LOOKS = 6
/** How long what went wrong beside the task rests before somebody goes on with it, in milliseconds. */
const REST = 1_000

interface Tending {
  readonly dead: readonly KnownWorker[]
  readonly isNew: boolean
  readonly isTime: boolean
}

class RunningWorker implements Worker {
  readonly id = randomUUID()
  private readonly shop: WorkerContext
  private readonly concurrency: number
  private readonly outage: Outage
  private readonly tell: (problem: unknown) => void
  private readonly lease: Lease
  private readonly common = openCommon()
  private readonly watch = new DeathWatch()
  private readonly clock = new SetBack()
  private readonly strays = new OrphanDetector()
  private readonly running = new Set<Running>()
  /** The tenants whose decisions were recorded when the worker came to them. */
  private readonly recorded = new Set<string>()
  private durable: Durable | undefined
  private readonly leaving = new AbortController()
  private isStopping = false
  private stopped: Promise<void> | undefined
  private hasLeft = false
  private timer: NodeJS.Timeout | undefined
  private renewals = 0
  private renewedAt = 0
  private beating: Promise<void> = Promise.resolve()
  /** What is to be done for the others; undefined while nothing is. */
  private tending: Promise<void> | undefined

  constructor({ shop, concurrency, tell = () => {} }: WorkerOptions) {
    this.shop = { ...shop, worker: this.id }
    this.concurrency = concurrency
    this.outage = new Outage(tell)
    this.tell = this.outage.tell
    this.lease = openLease(shop.store.url, { id: this.id, host: hostname(), pid: process.pid })
  }

  get busy(): number {
    return this.running.size
  }

  async start(): Promise<void> {
    this.lease.listen(mission => {
      this.durable?.look()
      void this.lookAt(mission).catch(this.tell)
    })
    // Whoever takes a task is known to the others before.
    await this.lease.renew()
    const { store } = this.shop
    const { by } = await store.isolation()
    const role = by === 'roles' ? DURABLE : undefined
    this.durable = await openDurable({
      pool: await openPool(store.url, poolSize(this.concurrency), role, {
        pipeline: true,
        Client: await beginningClient(),
      }),
      worker: this.id,
      concurrency: this.concurrency,
      run: attempt => this.run(attempt),
    })
    this.beat()
  }

  get left(): AbortSignal {
    return this.leaving.signal
  }

  stop(): Promise<void> {
    this.stopped ??= this.end()
    return this.stopped
  }

  /** Whoever can go on with no task takes none from those who can. */
  private leaveIfClosed(): void {
    const why = this.isStopping || !this.durable ? undefined : this.shop.closed?.()
    if (!why) return
    this.leaving.abort(why)
    void this.stop().catch(this.tell)
  }

  private async end(): Promise<void> {
    this.isStopping = true
    // What is given back must not be taken again, and until it is, the others must not take this worker for dead.
    const closing = this.durable?.close()
    this.abort(() => true, 'stopping')
    const isAway = await isSilentBefore(closing, () => this.renewedAt)
    this.hasLeft = true
    clearTimeout(this.timer)
    if (isAway) return this.tell(this.leftBehind())
    await this.beating
    await this.tending
    // Whoever leaves something behind is found dead, so that others go on with it.
    if (this.running.size === 0) await this.lease.remove(this.id).catch(this.tell)
    await this.lease.close()
  }

  /** What others find when the database is back: the row of a worker that is dead by then. */
  private leftBehind(): string {
    const { size } = this.running
    if (size === 0) return 'the database is away: this worker leaves, and was at no task'
    const tasks = size === 1 ? 'task' : counted(size, 'task')
    return `the database is away: when it is back, other workers go on with the ${tasks} that this one was at`
  }

  private async run(attempt: Attempt): Promise<void> {
    const controller = new AbortController()
    this.leaveIfClosed()
    if (this.isStopping) controller.abort('stopping' satisfies Stop)
    const running = { attempt, controller }
    this.running.add(running)
    await this.work(attempt, controller.signal).catch(problem => this.giveBack(attempt, problem))
    this.running.delete(running)
  }

  private async work(attempt: Attempt, signal: AbortSignal): Promise<void> {
    await this.makeUp(attempt.tenant)
    if (isReserved(attempt.task)) return this.shop.deliver(attempt, signal)
    return executeAttempt(attempt, this.shop, this.common, signal)
  }

  /** Whoever has decided on a proposal may have died before that was recorded: the first thing done for a tenant is to do so. */
  private async makeUp(tenant: string): Promise<void> {
    if (this.recorded.has(tenant)) return
    this.recorded.add(tenant)
    try {
      await this.shop.recordDecisions(tenant)
    } catch (problem) {
      this.recorded.delete(tenant)
      this.tell(problem)
    }
  }

  /** Nobody would notice a task that stays with a worker that is alive and has given up. */
  private async giveBack(attempt: Attempt, problem: unknown): Promise<void> {
    for (let why = problem; ; ) {
      this.tell(why)
      await pause(REST)
      try {
        return isReserved(attempt.task)
          ? await takeOverDelivery(this.shop.store, attempt)
          : await takeOver(this.shop.store, attempt, whyGivenBack(problem))
      } catch (error) {
        why = error
      }
    }
  }

  /** Renews the lease, looks at the others, and does so again. */
  private beat(): void {
    this.beating = this.renew()
      .catch(problem => {
        this.tell(problem)
        this.shop.store.revive()
      })
      .then(() => {
        if (!this.hasLeft) this.timer = setTimeout(() => this.beat(), RENEWAL)
      })
  }

  private async renew(): Promise<void> {
    if (this.clock.look()) void this.durable?.askAnew().catch(this.tell)
    const begun = performance.now()
    const { wasThere, isNew, workers } = await this.lease.renew()
    this.renewedAt = performance.now()
    this.outage.end()
    this.leaveIfClosed()
    // Others have taken this worker for dead, and its tasks with it.
    if (!wasThere) this.abort(() => true, 'lost')
    const dead = this.watch
      .look(workers, begun, performance.now())
      .filter(({ worker }) => worker !== this.id)
    this.renewals++
    const isTime = this.renewals % BETWEEN_LOOKS === 0
    if (this.isStopping || !(isNew || isTime || dead.length > 0)) return
    // Beside the renewals: whoever buries others must not be taken for dead meanwhile.
    this.tending ??= this.tend({ dead, isNew, isTime }).finally(() => {
      this.tending = undefined
    })
  }

  private async tend({ dead, isNew, isTime }: Tending): Promise<void> {
    try {
      if (isNew) await this.lookAt()
      for (const one of dead) await this.bury(one)
      if (isTime) await this.durable?.endRests()
      if (isTime) await this.clear(this.strays.look(await this.begunBy(this.id), this.attempts()))
    } catch (problem) {
      this.tell(problem)
    }
  }

  private async bury({ worker, renewed }: KnownWorker): Promise<void> {
    await this.clear(await this.begunBy(worker))
    // Last, so that somebody else goes on with it if we die as well. One that is back has another row.
    await this.lease.remove(worker, renewed)
  }

  /** Queues attempts again that nobody is at any more. */
  private async clear(left: readonly Begun[]): Promise<void> {
    const { store } = this.shop
    for (const attempt of left)
      await (isReserved(attempt.task) ? takeOverDelivery : takeOver)(store, attempt)
    if (left.length > 0) await this.durable?.giveUp(left.map(({ name }) => name))
  }

  private async begunBy(worker: string): Promise<readonly Begun[]> {
    return (await this.durable?.begun(worker)) ?? []
  }

  private attempts(): readonly Attempt[] {
    return [...this.running].map(({ attempt }) => attempt)
  }

  /** Something happened to a mission, or may have happened to any: what nobody waits for any more is ended. */
  private async lookAt(mission?: string): Promise<void> {
    for (const { attempt, controller } of this.running) {
      if (isReserved(attempt.task) || attempt.mission !== (mission ?? attempt.mission)) continue
      if (await stillCounts(this.shop.store, attempt)) continue
      controller.abort('cancelled' satisfies Stop)
    }
  }

  private abort(which: (running: Running) => boolean, why: Stop): void {
    for (const running of this.running) if (which(running)) running.controller.abort(why)
  }
}

/** A task asks its queue for little: a few connections serve many. */
function poolSize(concurrency: number): number {
  return Math.min(20, Math.max(4, Math.ceil(concurrency / 4)))
}
