import type { App } from '../operation.ts'

/** Yields what `work` reports, in order; fails when it fails, except when the signal cancelled it. */
export async function* partsOf<T>(
  { signal }: App,
  work: (tell: (part: T) => void) => Promise<unknown>,
): AsyncGenerator<T> {
  const parts: T[] = []
  let ended = false
  let wake = () => {}
  const done = work(part => {
    parts.push(part)
    wake()
  })
    .catch(error => {
      if (!signal?.aborted || error !== signal.reason) throw error
    })
    .finally(() => {
      ended = true
      wake()
    })
  // The error is thrown below; this avoids an unhandled rejection until then.
  done.catch(() => {})
  try {
    for (;;) {
      const part = parts.shift()
      if (part !== undefined) yield part
      else if (ended) break
      else
        await new Promise<void>(resolve => {
          wake = resolve
        })
    }
  } finally {
    // Let running work finish, also when the consumer stops early.
    await done
  }
}
