import { isAfterFailure } from '../../store/index.ts'
import { isAway } from '../patience.ts'

/** How what is asked at one moment is done. */
interface Joined<Asked, Answer> {
  /** Only what is asked for one tenant is done together. */
  tenantOf(asked: Asked): string
  /** Of those with one name, each waits for the one before. */
  nameOf(asked: Asked): string
  /** Does several in one transaction, or none of them; the answers stand in the order of what was asked. */
  together(tenant: string, asked: readonly Asked[]): Promise<readonly Answer[]>
  /** Does one in a transaction of its own. */
  alone(asked: Asked): Promise<Answer>
}

interface Waiting<Asked, Answer> {
  readonly asked: Asked
  resolve(answer: Answer): void
  reject(problem: unknown): void
}

/** As many as one transaction does: more would wait longer for each other than they save. */
const MOST = 16
/** How many transactions are under way at once: one is made ready while the other is waited for. */
const LANES = 2

/**
 * Does in one transaction what is asked while others are under way: to begin and to commit cost as much for one as for many.
 * Where that fails each is done alone, so that nobody pays for what is wrong with another.
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
      // All who ask in this turn of the process are done together.
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
 * Waits for all, and fails only then: what is asked of a transaction is answered before that ends. It fails with why, where
 * others were refused only because that had failed: whoever hears of those alone may do all of it again, for nothing.
 */
export async function allOf<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  const reasons = (await Promise.allSettled(all)).flatMap(one =>
    one.status === 'rejected' ? [one.reason] : [],
  )
  const why = reasons.find(reason => !isAfterFailure(reason))
  if (why !== undefined) throw why
  return Promise.all(all)
}
