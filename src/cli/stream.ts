import type { Output } from './io.ts'

/** Resolves when standard output has taken all that was written, so that the next text and the exit cannot overtake it. */
export async function flushed(): Promise<void> {
  if (process.stdout.writableLength === 0) return
  await new Promise<void>(resolve => {
    process.stdout.write('', () => resolve())
  })
}

/** Prints parts as they arrive, one line each, at the pace of the reader; returns the last. */
export async function printParts(
  parts: AsyncIterable<unknown>,
  lineOf: (part: unknown) => string,
  stdout: Output,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let last: unknown
  for await (const part of parts) {
    last = part
    const line = lineOf(part)
    if (line !== '') stdout.write(`${line}\n`)
    await stdout.flushed?.()
    if (signal?.aborted) break
  }
  return last
}
