import { lowerBound } from './markdown-source.ts'

/** A text with its JSON escapes decoded, and the original offset of each character. */
export interface ReadEscapes {
  readonly text: string
  sourceOf(offset: number): number
}

/** Escapes that JSON writers use needlessly; others do not affect the appearance. */
const ESCAPE = /\\(?:u(00[2-7][0-9a-fA-F])|(\/)|\\)/g

/** Decodes escapes of printable ASCII; `undefined` for a text without any. */
export function readEscapes(written: string): ReadEscapes | undefined {
  if (!written.includes('\\u00') && !written.includes('\\/')) return undefined
  const ends: number[] = []
  const lost: number[] = []
  let gone = 0
  const text = written.replace(ESCAPE, (all, code: string | undefined, slash, at: number) => {
    if (code === undefined && slash === undefined) return all
    ends.push(at - gone + 1)
    gone += all.length - 1
    lost.push(gone)
    return code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16))
  })
  if (gone === 0) return undefined
  const sourceOf = (offset: number) => {
    const before = lowerBound(ends, offset + 1, end => end)
    return offset + (lost[before - 1] ?? 0)
  }
  return { text, sourceOf }
}
