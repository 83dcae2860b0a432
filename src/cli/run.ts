import { openApp, outputSettings } from '../app.ts'
import { spelled, withoutSecrets } from '../contract/index.ts'
import { type ErrorCode, WaybillError } from '../error.ts'
import { mustFit } from '../operations/operation/input.ts'
import type { App, Operation } from '../operations/operation.ts'
import type { Io } from './io.ts'
import type { Request } from './parse.ts'
import { endBetweenSteps, interruption } from './signals.ts'
import { asker, progressBar, style, tell } from './terminal.ts'

/** Runs the requested operation, shows its result and sets the exit code. */
export async function runRequest(request: Request, version: string, io: Io): Promise<void> {
  const { entry, input, format, now, root, quiet } = request
  const progress = progressBar(!io.exit || quiet || !outputSettings(io.env).moves)
  const documents =
    entry.operation.rootOf === 'documents' ? [input.paths, input.path, input.stdinPath] : []
  const paths = documents.flat().filter(p => typeof p === 'string')
  const interaction = io.exit
    ? { ask: asker(), tell }
    : { tell: (line: string) => io.stderr.write(`${line}\n`) }
  const options = { now, root, paths, progress: progress.show, ...interaction }
  const opened = openApp(options, version, io)
  const operation = (await entry.load()).default as Operation<never, unknown>
  const stop = io.exit && operation.parts && interruption()
  const ending = io.exit && !stop && writes(entry.operation, input) ? endBetweenSteps() : undefined
  const app = {
    ...opened,
    signal: stop?.signal ?? progress.signal,
    ...(ending && { recording: () => ending.hold(request) }),
  }
  const parts = operation.parts?.(input as never, app, format)
  try {
    if (!parts) await whole(operation, request, app, progress.clear, io)
    else {
      const last = await printed(parts, request, app, io)
      io.exitCode = exitCodeOf(operation.failedPart?.(last) ?? false)
    }
  } catch (error) {
    io.exitCode = explainError(error, io)
  }
  await ending?.release(request)
  if (!parts && !stop?.exitCode()) return
  await io.stdout.flushed?.()
  // Do not wait for what cannot be cancelled, such as a query to a database that does not answer.
  io.exit?.(stop?.exitCode() || io.exitCode)
}

function writes({ effect, input }: Request['entry']['operation'], given: object): boolean {
  return effect !== 'read' || Object.keys(given).some(name => input.properties[name]?.writes)
}

/** Shows a result when all of it is there. */
async function whole(
  operation: Operation<never, unknown>,
  { entry, input, format, quiet }: Request,
  app: App,
  clear: () => void,
  io: Io,
): Promise<void> {
  const renderer = format === 'json' ? undefined : await entry.render()
  const forPeople = renderer?.forPeople
  // What stands for the operation where its result is rendered takes its input as it is.
  if (forPeople) mustFit(operation, input, app)
  const output = await (forPeople ?? operation.run.bind(operation))(input as never, app).finally(
    clear,
  )
  // Set it before printing: it must hold when the reader closes the pipe early.
  io.exitCode = exitCodeOf(operation.failed?.(output) ?? false)
  const printLine = (text: string | undefined) => {
    if (text) io.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  }
  if (!renderer) printLine(JSON.stringify(output, null, 2))
  else if (format === 'text') {
    const color = outputSettings(io.env).color ?? io.stdout.isTTY ?? false
    printLine(renderer.text(output as never, style(color), app, quiet))
  } else printLine(await renderer.formats?.[format]?.(output as never, app))
}

/** Shows a result as it comes, and answers its last part. */
async function printed(
  parts: AsyncIterable<unknown>,
  { entry, format, quiet }: Request,
  app: App,
  io: Io,
): Promise<unknown> {
  const { printParts } = await import('./stream.ts')
  const renderer = format === 'text' ? await entry.render() : undefined
  const part = renderer?.live?.() ?? renderer?.part
  const color = outputSettings(io.env).color ?? io.stdout.isTTY ?? false
  const lineOf = (one: unknown) => part?.(one as never, style(color), quiet) ?? JSON.stringify(one)
  return printParts(parts, lineOf, io.stdout, app.signal)
}

function exitCodeOf(failed: boolean | ErrorCode): number {
  return typeof failed === 'boolean' ? Number(failed) : new WaybillError(failed, '').answer.exitCode
}

/** Names of files and branches can hold anything, and so can arguments. */
function lines(text: string): string {
  return withoutSecrets(text).split('\n').map(spelled).join('\n')
}

/** Explains an error on standard error; returns the exit code. */
export function explainError(error: unknown, { stderr }: Pick<Io, 'stderr'>): number {
  if (error instanceof WaybillError) {
    stderr.write(`waybill: ${lines(error.message)}\n`)
    if (error.hint) stderr.write(`  ${lines(error.hint)}\n`)
    return error.answer.exitCode
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  stderr.write(`waybill: internal error; please report this\n${withoutSecrets(what)}\n`)
  return 3
}
