import { print } from './terminal.ts'

/** Resolves when what waits to be printed is: what is printed next must not overtake it, nor the end of the process. */
export async function flushed(): Promise<void> {
  if (process.stdout.writableLength === 0) return
  await new Promise<void>(resolve => {
    process.stdout.write('', () => resolve())
  })
}

/** Prints parts as they come, one line each, and answers the last; waits where nobody takes them as fast. */
export async function printParts(
  parts: AsyncIterable<unknown>,
  lineOf: (part: unknown) => string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let last: unknown
  for await (const part of parts) {
    last = part
    const line = lineOf(part)
    if (line !== '') print(`${line}\n`)
    await flushed()
    if (signal?.aborted) break
  }
  return last
}
