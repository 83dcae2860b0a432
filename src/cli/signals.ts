import { WaybillError } from '../error.ts'

/** The signals that ask a process to end, and the exit codes that say so. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** What tells that somebody wants the process to end, and the exit code that this then has. */
export function interruption(): { readonly signal: AbortSignal; exitCode(): number } {
  const controller = new AbortController()
  let code = 0
  for (const [signal, exitCode] of SIGNALS) {
    process.once(signal, () => {
      code = exitCode
      controller.abort(new WaybillError('interrupted', 'it was interrupted before it was done'))
    })
  }
  return { signal: controller.signal, exitCode: () => code }
}

/** Lets the step that is under way end, so that nothing is left half-written, and then ends the process. */
export function endBetweenSteps(): void {
  for (const [signal, code] of SIGNALS) process.once(signal, () => process.exit(code))
}
