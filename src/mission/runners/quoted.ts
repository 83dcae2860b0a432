import { showing } from './showing.ts'

/** The most characters of a quoted text. */
const SHOWN = 300

/** Quotes foreign text in a message: one short line without secrets. */
export function quoted(text: string, secrets: readonly (string | undefined)[]): string {
  // Mask before truncating: a partial secret is not recognized.
  const line = showing(secrets)(text).replace(/\s+/g, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')}…` : line
}
