import { catalogue } from './catalogue.generated.ts'
import { commandLine, parsingEnd, type Request } from './parse.ts'
import { print } from './terminal.ts'
import { version } from './version.ts'

/** Runs one command line and sets the exit code; nothing is thrown. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await commandLine(catalogue, argv, version, run, { complete, serve }).parseAsync(argv, {
      from: 'user',
    })
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
  print(completion(shell, catalogue))
}

async function serve(options: { readonly root?: string; readonly now?: string }): Promise<void> {
  const { serve } = await import('../mcp/index.ts')
  await serve(options, version)
}

async function explain(error: unknown): Promise<number> {
  const { explainError } = await import('./run.ts')
  return explainError(error)
}
