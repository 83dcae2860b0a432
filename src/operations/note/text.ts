import { decode, findHiddenText, findSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'

/** Most characters of a note, which is one line to read. */
const LONGEST_NOTE = 2000

/**
 * Makes a text one line, and refuses what a handoff must not repeat: credentials, and characters that people do not see.
 *
 * @param name what the text is, for messages
 */
export function lineFrom(name: string, given: string, most = LONGEST_NOTE): string {
  const [hidden] = findHiddenText(given)
  if (hidden || !given.isWellFormed()) {
    const { kind, codePoint } = hidden ?? { kind: 'half of a character', codePoint: undefined }
    const code = codePoint?.toString(16).toUpperCase().padStart(4, '0')
    throw refused(
      `${name} contains text that people do not see: ${kind}${code ? ` (U+${code})` : ''}`,
      'type it again instead of pasting it',
    )
  }
  const [secret] = findSecrets(given)
  if (secret)
    throw refused(
      `${name} contains a credential: ${secret.kind} (${secret.mask})`,
      'write where it is kept, such as the name of a variable; if it is real, others may have seen it: replace it',
    )
  const line = given.replace(/\s+/g, ' ').trim()
  if (line === '') throw refused(`${name} is empty`, 'pass a value')
  if (line.length <= most) return line
  throw refused(
    `${name} has ${line.length} characters, more than the limit of ${most}`,
    'put the details into a file and name it',
  )
}

/** Reads a text that may stand on standard input. */
export async function textFrom(given: string, { stdin }: Pick<App, 'stdin'>): Promise<string> {
  if (given !== '-') return given
  const { text, faults } = decode(await stdin())
  const [fault] = faults
  if (fault) throw refused(`standard input cannot be read: ${fault.message}`, fault.hint)
  return text
}

function refused(message: string, hint: string): WaybillError {
  return new WaybillError('usage', message, { hint })
}
