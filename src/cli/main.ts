import { catalogue } from './catalogue.generated.ts'
import { commandLine, parsingEnd, type Request } from './parse.ts'
import { version } from './version.ts'

/** Runs one command line and sets the exit code; nothing is thrown. */
export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyWhenNobodyReads()
  try {
    await commandLine(catalogue, argv, version, run, complete).parseAsync(argv, { from: 'user' })
  } catch (error) {
    process.exitCode = parsingEnd(error) ?? (await explain(error))
  }
}

async function run(request: Request): Promise<void> {
  const { runRequest } = await import('./run.ts')
  await runRequest(request, version)
}

async function complete(shell: 'bash' | 'zsh' | 'fish'): Promise<void> {
  const { completion } = await import('./completion.ts')
  process.stdout.write(completion(shell, catalogue))
}

async function explain(error: unknown): Promise<number> {
  const { explainError } = await import('./run.ts')
  return explainError(error)
}

/** `waybill check | head` ends when the reader goes away, without a stack trace. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}
