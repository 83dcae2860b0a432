import { WaybillError } from '../../error.ts'

/** How long a database that is away is waited for before it is asked again, in milliseconds. */
const ASK_AGAIN = 500

/** Waits for a database that is away, for whoever has something to say that nobody else would say. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof WaybillError) || error.code !== 'store-unavailable') throw error
      await new Promise(resolve => setTimeout(resolve, ASK_AGAIN))
    }
  }
}
