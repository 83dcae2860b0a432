import { catalogue } from './catalogue.generated.ts'
import type { Request } from './parse.ts'
import { readPlain } from './plain.ts'
import { print } from './terminal.ts'
import { version } from './version.ts'

/** Runs one command line and sets the exit code; nothing is thrown. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const request = readPlain(catalogue, argv)
    if (request) await run(request)
    else if (argv.length === 1 && argv[0] === '--version') print(`${version}\n`)
    else await runAnyLine(argv)
  } catch (error) {
    process.exitCode = await explain(error)
  }
}

async function runAnyLine(argv: readonly string[]): Promise<void> {
  const { commandLine, parsingEnd } = await import('./parse.ts')
  try {
    const line = commandLine(catalogue, argv, version, run, { complete, serve })
    await line.parseAsync(argv, { from: 'user' })
  } catch (error) {
    const end = parsingEnd(error)
    if (end === undefined) throw error
    process.exitCode = end
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
  const { endBetweenSteps } = await import('./signals.ts')
  const ending = endBetweenSteps()
  const { serve } = await import('../mcp/index.ts')
  await serve(options, version, ending)
}

async function explain(error: unknown): Promise<number> {
  const { explainError } = await import('./run.ts')
  return explainError(error)
}
