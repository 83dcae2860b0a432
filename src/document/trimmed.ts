import type { Span } from './document.ts'

/** A range of text without surrounding white space. */
export function trimmed(text: string, start: number, end: number): Span {
  const block = text.slice(start, end)
  const length = block.trim().length
  if (length === 0) return { start, end: start }
  const first = start + block.length - block.trimStart().length
  return { start: first, end: first + length }
}
