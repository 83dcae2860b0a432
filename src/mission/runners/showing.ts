import { spelled } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { withoutTerminalCodes } from '../../session/index.ts'

/** Shorter values occur in ordinary words. */
const SHORTEST = 6

/**
 * Returns a function that makes an agent's text safe to display: it masks the given secrets and credentials, and
 * removes terminal codes.
 */
export function showing(secrets: readonly (string | undefined)[]): (text: string) => string {
  const values = secrets
    // Users of a secret strip its trailing line end.
    .flatMap(value => value?.trim() ?? [])
    .filter(value => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  return text => {
    let plain = withoutTerminalCodes(text)
    for (const value of values) plain = plain.replaceAll(value, '…')
    return maskSecrets(plain).split(/\r?\n/).map(spelled).join('\n')
  }
}
