import { isAfterFailure } from '../../store/index.ts'
import { isAway } from '../patience.ts'

/** How a batch of requests is processed. */
interface Joined<Asked, Answer> {
  /** Only requests of one tenant share a batch. */
  tenantOf(asked: Asked): string
  /** Requests with the same name run one after the other. */
  nameOf(asked: Asked): string
  /** Processes several requests in one transaction, all or none; answers are in request order. */
  together(tenant: string, asked: readonly Asked[]): Promise<readonly Answer[]>
  /** Processes one request in its own transaction. */
  alone(asked: Asked): Promise<Answer>
}

interface Waiting<Asked, Answer> {
  readonly asked: Asked
  resolve(answer: Answer): void
  reject(problem: unknown): void
}

/** The largest batch: a larger one waits longer than it saves. */
const MOST = 16
/** Concurrent transactions: one is prepared while the other is waited for. */
const LANES = 2

/**
 * Batches concurrent requests into one transaction, which costs as much to begin and commit for one as for many. If a
 * batch fails, each request is retried alone, so that one failure does not affect the others.
 */
export class Batcher<Asked, Answer> {
  private readonly how: Joined<Asked, Answer>
  private waiting: readonly Waiting<Asked, Answer>[] = []
  private lanes = 0

  constructor(how: Joined<Asked, Answer>) {
    this.how = how
  }

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = [...this.waiting, { asked, resolve, reject }]
      if (this.lanes === LANES) return
      this.lanes++
      // Batch all requests of this event loop turn.
      setImmediate(() => void this.work())
    })
  }

  private async work(): Promise<void> {
    for (let group = this.next(); group.length > 0; group = this.next()) await this.answer(group)
    this.lanes--
  }

  private next(): readonly Waiting<Asked, Answer>[] {
    const group = new Map<string, Waiting<Asked, Answer>>()
    const [first] = this.waiting
    const tenant = first && this.how.tenantOf(first.asked)
    for (const one of this.waiting) {
      const name = this.how.nameOf(one.asked)
      if (group.size < MOST && !group.has(name) && this.how.tenantOf(one.asked) === tenant)
        group.set(name, one)
    }
    const taken = [...group.values()]
    const isTaken = new Set(taken)
    this.waiting = this.waiting.filter(one => !isTaken.has(one))
    return taken
  }

  private async answer(group: readonly Waiting<Asked, Answer>[]): Promise<void> {
    if (group.length > 1 && (await this.answerTogether(group))) return
    const { how } = this
    await Promise.all(
      group.map(({ asked, resolve, reject }) => how.alone(asked).then(resolve, reject)),
    )
  }

  private async answerTogether(group: readonly Waiting<Asked, Answer>[]): Promise<boolean> {
    const all = group.map(({ asked }) => asked)
    try {
      const answers = await this.how.together(this.how.tenantOf(all[0] as Asked), all)
      for (const [i, { resolve }] of group.entries()) resolve(answers[i] as Answer)
      return true
    } catch (problem) {
      if (!isAway(problem)) return false
      for (const { reject } of group) reject(problem)
      return true
    }
  }
}

/**
 * Waits until all settle, since queries must end before their transaction. Rejects with the original error, not with
 * the errors that only report the failed transaction.
 */
export async function allOf<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  const reasons = (await Promise.allSettled(all)).flatMap(one =>
    one.status === 'rejected' ? [one.reason] : [],
  )
  const why = reasons.find(reason => !isAfterFailure(reason))
  if (why !== undefined) throw why
  return Promise.all(all)
}
