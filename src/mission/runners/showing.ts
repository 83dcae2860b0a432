import { spelled } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { withoutTerminalCodes } from '../../session/index.ts'

/** Shorter values are found in many a word, and are no secret that would be worth the name. */
const SHORTEST = 6

/**
 * What makes a text of an agent fit to be shown: no secrets, and nothing that could rewrite a terminal.
 *
 * `secrets` are the very values that it was given; what looks like a credential is masked as well.
 */
export function showing(secrets: readonly (string | undefined)[]): (text: string) => string {
  const values = secrets
    // Whoever uses it takes away the end of the line that it was read from.
    .flatMap(value => value?.trim() ?? [])
    .filter(value => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  return text => {
    let plain = withoutTerminalCodes(text)
    for (const value of values) plain = plain.replaceAll(value, '…')
    return maskSecrets(plain).split(/\r?\n/).map(spelled).join('\n')
  }
}
