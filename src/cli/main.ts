import { catalogue } from './catalogue.generated.ts'
import type { Io } from './io.ts'
import type { Request } from './parse.ts'
import { readPlain, readServe, type ServeRequest } from './plain.ts'
import { version } from './version.ts'

/** Runs one command line and returns its exit code; nothing is thrown. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const request = readPlain(catalogue, argv)
    const serving = readServe(argv)
    if (request) await runVerb(request, io)
    else if (serving) await serve(serving)
    else if (argv.length === 1 && argv[0] === '--version') io.stdout.write(`${version}\n`)
    else await runAnyLine(argv, io)
  } catch (error) {
    const { explainError } = await import('./run.ts')
    io.exitCode = explainError(error, io)
  }
  return io.exitCode ?? 0
}

async function runAnyLine(argv: readonly string[], io: Io): Promise<void> {
  const { commandLine, parsingEnd } = await import('./parse.ts')
  const { stdout, stderr } = io
  const surfaces = { complete: (shell: Shell) => complete(shell, io), serve, stdout, stderr }
  const start = (request: Request) => runVerb(request, io)
  try {
    const line = commandLine(catalogue, argv, version, start, surfaces)
    await line.parseAsync(argv, { from: 'user' })
  } catch (error) {
    const end = parsingEnd(error)
    if (end === undefined) throw error
    io.exitCode = end
  }
}

async function runVerb(request: Request, io: Io): Promise<void> {
  const { runRequest } = await import('./run.ts')
  await runRequest(request, version, io)
}

type Shell = 'bash' | 'zsh' | 'fish'

async function complete(shell: Shell, { stdout }: Io): Promise<void> {
  const { completion } = await import('./completion.ts')
  stdout.write(completion(shell, catalogue))
}

async function serve(options: ServeRequest): Promise<void> {
  const { endBetweenSteps } = await import('./signals.ts')
  const ending = endBetweenSteps()
  const { serve } = await import('../mcp/index.ts')
  await serve(options, version, ending)
}
