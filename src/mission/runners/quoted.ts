import { showing } from './showing.ts'

/** How much of the words of others is repeated. */
const SHOWN = 300

/** The words of somebody else on one line, fit to stand in a message: short, and without secrets. */
export function quoted(text: string, secrets: readonly (string | undefined)[]): string {
  // Masked before it is cut, since no half of a secret looks like one.
  const line = showing(secrets)(text).replace(/\s+/g, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')}…` : line
}
