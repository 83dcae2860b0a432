import { openApp, outputSettings } from '../app.ts'
import { spelled, withoutSecrets } from '../contract/index.ts'
import { type ErrorCode, WaybillError } from '../error.ts'
import { mustFit } from '../operations/operation/input.ts'
import type { App, Operation } from '../operations/operation.ts'
import type { Request } from './parse.ts'
import { endBetweenSteps, interruption } from './signals.ts'
import { asker, isTerminal, print, progressBar, style, tell } from './terminal.ts'

/** Runs the operation that was asked for, shows its result and sets the exit code. */
export async function runRequest(request: Request, version: string): Promise<void> {
  const { entry, input, format, now, root, quiet } = request
  const progress = progressBar(quiet || !outputSettings().moves)
  const documents =
    entry.operation.rootOf === 'documents' ? [input.paths, input.path, input.stdinPath] : []
  const paths = documents.flat().filter(p => typeof p === 'string')
  const opened = openApp({ now, root, paths, progress: progress.show, ask: asker(), tell }, version)
  const operation = (await entry.load()).default as Operation<never, unknown>
  const stop = operation.parts && interruption()
  const ending = !stop && writes(entry.operation, input) ? endBetweenSteps() : undefined
  const app = {
    ...opened,
    signal: stop?.signal ?? progress.signal,
    ...(ending && { recording: () => ending.hold(request) }),
  }
  const parts = operation.parts?.(input as never, app, format)
  try {
    if (!parts) await whole(operation, request, app, progress.clear)
    else {
      const last = await printed(parts, request, app)
      process.exitCode = exitCodeOf(operation.failedPart?.(last) ?? false)
    }
  } catch (error) {
    process.exitCode = explainError(error)
  }
  await ending?.release(request)
  if (!parts && !stop?.exitCode()) return
  const { flushed } = await import('./stream.ts')
  await flushed()
  // What could not be ended, such as a question to a database that is away, is not waited for.
  process.exit(stop?.exitCode() || process.exitCode)
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
): Promise<void> {
  const renderer = format === 'json' ? undefined : await entry.render()
  const forPeople = renderer?.forPeople
  // What stands for the operation where its result is rendered takes its input as it is.
  if (forPeople) mustFit(operation, input, app)
  const output = await (forPeople ?? operation.run.bind(operation))(input as never, app).finally(
    clear,
  )
  // Before it is printed: the exit code holds also where the reader goes away in the middle.
  process.exitCode = exitCodeOf(operation.failed?.(output) ?? false)
  if (!renderer) printLine(JSON.stringify(output, null, 2))
  else if (format === 'text') {
    const color = outputSettings().color ?? isTerminal()
    printLine(renderer.text(output as never, style(color), app, quiet))
  } else printLine(await renderer.formats?.[format]?.(output as never, app))
}

/** Shows a result as it comes, and answers its last part. */
async function printed(
  parts: AsyncIterable<unknown>,
  { entry, format, quiet }: Request,
  app: App,
): Promise<unknown> {
  const { printParts } = await import('./stream.ts')
  const part = format === 'text' ? (await entry.render()).part : undefined
  const color = outputSettings().color ?? isTerminal()
  const lineOf = (one: unknown) => part?.(one as never, style(color), quiet) ?? JSON.stringify(one)
  return printParts(parts, lineOf, app.signal)
}

function exitCodeOf(failed: boolean | ErrorCode): number {
  return typeof failed === 'boolean' ? Number(failed) : new WaybillError(failed, '').answer.exitCode
}

function printLine(text: string | undefined): void {
  if (text) print(text.endsWith('\n') ? text : `${text}\n`)
}

/** Names of files and branches can hold anything, and so can arguments. */
function lines(text: string): string {
  return withoutSecrets(text).split('\n').map(spelled).join('\n')
}

/** Says what went wrong with us or the world on standard error; gives the exit code. */
export function explainError(error: unknown): number {
  if (error instanceof WaybillError) {
    process.stderr.write(`waybill: ${lines(error.message)}\n`)
    if (error.hint) process.stderr.write(`  ${lines(error.hint)}\n`)
    return error.answer.exitCode
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`waybill: internal error; please report this\n${withoutSecrets(what)}\n`)
  return 3
}
