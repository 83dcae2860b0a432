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

/** A process that runs tasks of missions. */
export interface Worker {
  readonly id: string
  /** The number of running attempts. */
  readonly busy: number
  /** Aborted when it stops on its own, with the reason. */
  readonly left: AbortSignal
  /** Stops running attempts, returns them to the queue and closes the worker. */
  stop(): Promise<void>
}

/** Options of a worker. */
export interface WorkerOptions {
  readonly shop: Omit<WorkerContext, 'worker'>
  /** The number of concurrent tasks. */
  readonly concurrency: number
  /** Called with errors outside of the tasks. */
  readonly tell?: (problem: unknown) => void
}

/** Starts the worker of this process, which runs queued tasks and takes over those of dead workers. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new RunningWorker(options)
  await worker.start().catch(async error => {
    // Open connections would keep the process alive.
    await worker.stop().catch(() => {})
    throw error
  })
  return worker
}

interface Running {
  readonly attempt: Attempt
  readonly controller: AbortController
}

/** The number of lease renewals between checks of the queue. */
const BETWEEN_LOOKS = 6
/** The delay before retrying after an error outside of a task, in milliseconds. */
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
  /** Tenants whose unrecorded decisions were handled. */
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
  /** The running maintenance for other workers, if any. */
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
    // Register before taking tasks.
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

  /** Stops if this installation cannot continue, so that it takes no tasks from workers that can. */
  private leaveIfClosed(): void {
    const why = this.isStopping || !this.durable ? undefined : this.shop.closed?.()
    if (!why) return
    this.leaving.abort(why)
    void this.stop().catch(this.tell)
  }

  private async end(): Promise<void> {
    this.isStopping = true
    // Stop polling before returning tasks, and keep the lease until they are returned.
    const closing = this.durable?.close()
    this.abort(() => true, 'stopping')
    const isAway = await isSilentBefore(closing, () => this.renewedAt)
    this.hasLeft = true
    clearTimeout(this.timer)
    if (isAway) return this.tell(this.leftBehind())
    await this.beating
    await this.tending
    // With tasks left, keep the lease row: other workers find it expired and take over.
    if (this.running.size === 0) await this.lease.remove(this.id).catch(this.tell)
    await this.lease.close()
  }

  /** The message for a database outage during shutdown. */
  private leftBehind(): string {
    const { size } = this.running
    if (size === 0) return 'the database is unavailable: the worker stops; it was running no task'
    const tasks = size === 1 ? 'task' : counted(size, 'task')
    return `the database is unavailable: once it is back, other workers continue the ${tasks} of this one`
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

  /** Records a tenant's decisions whose recorder died, once before the first task for the tenant. */
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

  /** Retries until a failed attempt is requeued: no other worker takes it over while this one lives. */
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

  /** Renews the lease periodically. */
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
    if (this.clock.look()) void this.durable?.restartPolling().catch(this.tell)
    const begun = performance.now()
    const { wasThere, isNew, workers } = await this.lease.renew()
    this.renewedAt = performance.now()
    this.outage.end()
    this.leaveIfClosed()
    // Other workers considered this one dead and took over its tasks.
    if (!wasThere) this.abort(() => true, 'lost')
    const dead = this.watch
      .look(workers, begun, performance.now())
      .filter(({ worker }) => worker !== this.id)
    this.renewals++
    const isTime = this.renewals % BETWEEN_LOOKS === 0
    if (this.isStopping || !(isNew || isTime || dead.length > 0)) return
    // Run maintenance concurrently: burying other workers must not delay the lease.
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
      // A stopping worker has closed its queue.
      if (!this.isStopping) this.tell(problem)
    }
  }

  private async bury({ worker, renewed }: KnownWorker): Promise<void> {
    await this.clear(await this.begunBy(worker))
    // Remove the row last, so that another worker can continue if this one dies. A returned worker has a newer row.
    await this.lease.remove(worker, renewed)
  }

  /** Requeues attempts without a running worker. */
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

  /** Stops obsolete attempts of a mission, or of all missions. */
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

/** Attempts use the queue rarely, so few connections suffice. */
function poolSize(concurrency: number): number {
  return Math.min(20, Math.max(4, Math.ceil(concurrency / 4)))
}
