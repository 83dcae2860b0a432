import type { Store } from '../../store/index.ts'
import type { App } from '../operation.ts'

/** Time in milliseconds after which a waiting command reports that the database does not answer. */
export const SILENCE = 5_000
/** Time in milliseconds that a cancelled command still waits for a pending answer. */
const LAST_WORD = 3_000

const STILL_WAITING = `no answer from the database for ${SILENCE / 1000} seconds, still waiting: check that its server runs and is not overloaded; Ctrl-C cancels`

/** Waits for a database request. */
export type Waiting = <T>(asked: Promise<T>) => Promise<T>

/** Waits for a database without a timeout, since statements may take long; reports a delay once; can be cancelled. */
export function waitingFor({ signal, tell }: Pick<App, 'signal' | 'tell'>): Waiting {
  let isTold = false
  const tellOnce = () => {
    if (!isTold) tell?.(STILL_WAITING)
    isTold = true
  }
  return async asked => {
    const late = setTimeout(tellOnce, SILENCE)
    try {
      return await unlessLeft(asked, signal)
    } finally {
      clearTimeout(late)
    }
  }
}

/** Returns a store that waits for each answer this way. */
export function waitedFor(store: Store, waiting: Waiting): Store {
  return {
    url: store.url,
    isolation: () => waiting(store.isolation()),
    migrate: () => waiting(store.migrate()),
    tenant: (tenant, work) => waiting(store.tenant(tenant, work)),
    erase: erasure => waiting(store.erase(erasure)),
    revive: () => store.revive(),
    close: () => store.close(),
  }
}

function unlessLeft<T>(asked: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return asked
  return new Promise((resolve, reject) => {
    let last: NodeJS.Timeout | undefined
    const leave = () => {
      last = setTimeout(() => reject(signal.reason), LAST_WORD)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
    asked.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave)
      clearTimeout(last)
    })
  })
}
