import { WaybillError } from '../error.ts'
import type { Ending } from '../mcp/index.ts'
import { tell } from './terminal.ts'

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

const HELD =
  'an entry is being recorded: waybill ends when it is answered, or at once if asked again'

/** Lets the step that is under way end, so that nothing is left half-written, and then ends the process. */
export function endBetweenSteps(): Ending {
  const held = new Set<unknown>()
  let code = 0
  for (const [signal, exitCode] of SIGNALS) {
    process.on(signal, () => {
      if (held.size === 0 || code !== 0) process.exit(exitCode)
      code = exitCode
      tell(`waybill: ${HELD}`)
    })
  }
  return {
    hold: work => {
      held.add(work)
    },
    release: async work => {
      held.delete(work)
      if (held.size > 0 || code === 0) return
      const { flushed } = await import('./stream.ts')
      await flushed()
      process.exit(code)
    },
  }
}
