const FENCE = /^ {0,3}(?:```|~~~)/
/** Matches lines outside of plain paragraphs: lists, quotes, tables, headings, rules, code, HTML and definitions. */
const OTHER =
  /^(?: {2}|\t| ?(?:[-*+](?:\s|$)|[>#|<]|=+\s*$|[-*_]{3}|\[[^\]]{1,99}\]:|[0-9]{1,9}[.)](?:\s|$)))/
const HARD_BREAK = /(?: {2}|\\)$/

/** Joins each separate paragraph of a Markdown text into one line; keeps everything else. */
export function joinSoftBreaks(text: string): string {
  const lines: string[] = []
  let isOpen = false
  let isCode = false
  let isPlain = true
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode
    const isBlank = line.trim() === ''
    // A line that follows another kind of line without a blank line may belong to it.
    isPlain = !isCode && (isBlank || (isPlain && !FENCE.test(line) && !OTHER.test(line)))
    if (isOpen && isPlain && !isBlank) lines.push(`${lines.pop()} ${line}`)
    else lines.push(line)
    isOpen = isPlain && !isBlank && !HARD_BREAK.test(line)
  }
  return lines.join('\n')
}
