import { type Diagnostic, spelled } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import type { EnvelopeCode } from '../envelope/codes.ts'
import type { GatewayCode } from './codes.ts'

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }

/** Creates a gateway error about a handoff as a whole. */
export function finding(
  code: EnvelopeCode | GatewayCode,
  message: string,
  hint: string,
  at: Partial<Pick<Diagnostic, 'path' | 'range'>> = {},
): Diagnostic {
  // The message may quote text of an unknown sender.
  const words = spelled(maskSecrets(message))
  return { code, severity: 'error', path: '', range: START, message: words, hint, ...at }
}
