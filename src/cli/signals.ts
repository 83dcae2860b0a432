import { WaybillError } from '../error.ts'
import type { Ending } from '../mcp/index.ts'
import { tell } from './terminal.ts'

/** The signals that ask a process to end, and the exit codes that say so. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** Aborts on the first SIGINT or SIGTERM, and gives the exit code for that signal (0 before one). */
export function interruption(): { readonly signal: AbortSignal; exitCode(): number } {
  const controller = new AbortController()
  let code = 0
  for (const [signal, exitCode] of SIGNALS) {
    process.once(signal, () => {
      code = exitCode
      controller.abort(new WaybillError('interrupted', 'interrupted before it finished'))
    })
  }
  return { signal: controller.signal, exitCode: () => code }
}

const HELD = 'recording an entry; waybill exits when it is recorded, or at once on a second signal'

/** Exits on a signal after the current step, so that nothing is left half-written; a second signal exits at once. */
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
