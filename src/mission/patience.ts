import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../error.ts'

/** How long a database that is away is waited for before it is asked again, in milliseconds. */
const ASK_AGAIN = 500

/** Waits for a database that is away, for as long as it takes: nobody else would do what is asked of it. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(ASK_AGAIN)
    }
  }
}

/** Whether something failed because there was no database to ask. */
export function isAway(error: unknown): boolean {
  return error instanceof WaybillError && error.code === 'store-unavailable'
}
