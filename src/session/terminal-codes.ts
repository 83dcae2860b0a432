/** What ends a code that names a title or a link. */
const ENDS = ['\u0007', '\u001b\\', '\u009c']
const ESCAPE = '\u001b'

/**
 * A text without what would steer a terminal, in a time that grows as the text does.
 *
 * For each title that is begun Node looks for its end through all that follows: a megabyte of such beginnings without an
 * end would take minutes. Behind the last end there can be no title, so that none is begun there.
 */
export function withoutTerminalCodes(text: string): string {
  const { stripVTControlCharacters } = process.getBuiltinModule('node:util')
  const end = Math.max(...ENDS.map(one => text.lastIndexOf(one)))
  const [first = '', ...rest] = text.slice(end + 1).split(ESCAPE)
  const plain = [first, ...rest.map(part => part.replace(/^\]+/, ''))].join(ESCAPE)
  return stripVTControlCharacters(text.slice(0, end + 1) + plain)
}
