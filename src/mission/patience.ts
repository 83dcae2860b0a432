import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../error.ts'

/** The delay between retries, in milliseconds. */
const ASK_AGAIN = 500

/** Retries while the database is unavailable, without limit. */
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

/** Reports whether an error means that the database is unavailable. */
export function isAway(error: unknown): boolean {
  return error instanceof WaybillError && error.code === 'store-unavailable'
}
