/** The terminators of title and link codes. */
const ENDS = ['\u0007', '\u001b\\', '\u009c']
const ESCAPE = '\u001b'

/**
 * Removes terminal control codes in linear time.
 *
 * For each started title Node searches the rest of the text for its end, so a megabyte of unterminated starts would take
 * minutes. No title can follow the last terminator, so starts are removed there.
 */
export function withoutTerminalCodes(text: string): string {
  const { stripVTControlCharacters } = process.getBuiltinModule('node:util')
  const end = Math.max(...ENDS.map(one => text.lastIndexOf(one)))
  const [first = '', ...rest] = text.slice(end + 1).split(ESCAPE)
  const plain = [first, ...rest.map(part => part.replace(/^\]+/, ''))].join(ESCAPE)
  return stripVTControlCharacters(text.slice(0, end + 1) + plain)
}
