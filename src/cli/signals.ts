import { WaybillError } from '../error.ts'
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

/** What keeps the process from ending before it has answered what it has recorded. */
export interface Ending {
  /** From here on a piece of work is answered first; whoever asks for the end a second time does not wait for that. */
  hold(work: unknown): void
  /** The work is answered; ends the process if that was asked for meanwhile and nothing else is held. */
  release(work: unknown): Promise<void>
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
