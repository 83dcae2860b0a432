/** Waits until work settles or the signal aborts; a later result is dropped. */
export async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let end = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason)
  })
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, ended])
  } finally {
    signal.removeEventListener('abort', end)
    work.catch(() => undefined)
  }
}
