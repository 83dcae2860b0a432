const FENCE = /^ {0,3}(?:```|~~~)/
/** What is no line of a plain paragraph: lists, quotes, tables, headings, rules, code, HTML and definitions. */
const OTHER =
  /^(?: {2}|\t| ?(?:[-*+](?:\s|$)|[>#|<]|=+\s*$|[-*_]{3}|\[[^\]]{1,99}\]:|[0-9]{1,9}[.)](?:\s|$)))/
const HARD_BREAK = /(?: {2}|\\)$/

/** Markdown with each paragraph on one line, as far as it stands by itself; everything else stays as it is. */
export function joinSoftBreaks(text: string): string {
  const lines: string[] = []
  let isOpen = false
  let isCode = false
  let isPlain = true
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode
    const isBlank = line.trim() === ''
    // What follows another kind of line without a blank one may belong to that.
    isPlain = !isCode && (isBlank || (isPlain && !FENCE.test(line) && !OTHER.test(line)))
    if (isOpen && isPlain && !isBlank) lines.push(`${lines.pop()} ${line}`)
    else lines.push(line)
    isOpen = isPlain && !isBlank && !HARD_BREAK.test(line)
  }
  return lines.join('\n')
}
