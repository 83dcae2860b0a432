import type { App } from '../operation.ts'

/** The parts that a piece of work tells of while it is done, in order; ends, or fails, with it. Who is told to leave has not failed. */
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
  // It is told below; until then nobody waits for it.
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
    // Also where nobody wants to hear more: what is under way is brought to its end.
    await done
  }
}
