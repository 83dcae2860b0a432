import type { Store } from '../../store/index.ts'
import type { App } from '../operation.ts'

/** A database that has not answered for so long is spoken of by whoever waits for it, in milliseconds. */
export const SILENCE = 5_000
/** For how long somebody who is told to leave waits for an answer that is under way, in milliseconds. */
const LAST_WORD = 3_000

const TOLD = `the database has not answered for ${SILENCE / 1000} seconds, and is waited for: see whether its server runs and is not overloaded; Ctrl-C leaves`

/** Waits for what a database was asked. */
export type Waiting = <T>(asked: Promise<T>) => Promise<T>

/**
 * Waits for a database for as long as it takes, since an honest statement may take long: says so once, and keeps nobody
 * who is told to leave.
 */
export function waitingFor({ signal, tell }: Pick<App, 'signal' | 'tell'>): Waiting {
  let isTold = false
  const tellOnce = () => {
    if (!isTold) tell?.(TOLD)
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

/** The same store, whose answers are waited for like that. */
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
