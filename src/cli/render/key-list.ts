import type { KeyListOutput, ListedKey } from '../../operations/key-list/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { shortId } from './key.ts'
import { pad, widthOf } from './layout.ts'

const COLORS = { valid: 'green', 'not-yet': 'yellow', expired: 'dim', revoked: 'red' } as const

/** One line per key in the trust list, then the private keys that are not listed. */
export function text(
  { origin, keys, unlisted }: KeyListOutput,
  style: Style,
  _app: App,
  quiet: boolean,
): string {
  const shown = quiet ? keys.filter(key => key.standing !== 'valid' || key.fault !== null) : keys
  const rows = shown.map(key => [
    // Commands find this repository's own keys by their kind alone.
    key.holder.name === origin ? key.holder.kind : `${key.holder.kind} ${key.holder.name}`,
    shortId(key.keyid),
    key.algorithm,
    key.standing,
    timesOf(key),
    key.fault ?? (key.held ? 'private key here' : ''),
  ])
  const widths = [0, 1, 2, 3, 4].map(column =>
    Math.max(0, ...rows.map(row => widthOf(row[column] ?? ''))),
  )
  const lines = rows.map((row, index) =>
    row
      .map((cell, column) => {
        const padded = column < widths.length ? pad(cell, widths[column] ?? 0) : cell
        return column === 3 ? style(COLORS[shown[index]?.standing ?? 'valid'], padded) : padded
      })
      .join('  ')
      .trimEnd(),
  )
  for (const { path } of unlisted)
    lines.push(
      `${style('yellow', '!')} ${path} is not in the trust list and is not used for signing`,
    )
  if (lines.length === 0 && !quiet) return 'no keys listed; create them with waybill init'
  return lines.join('\n')
}

function timesOf({ from, until, revoked }: ListedKey): string {
  const end = revoked === null ? until : revoked
  const word = revoked === null ? 'until' : 'revoked'
  const text = end === null ? `from ${from}` : `from ${from} ${word} ${end}`
  return text.replaceAll(/\.[0-9]+Z/g, 'Z')
}
