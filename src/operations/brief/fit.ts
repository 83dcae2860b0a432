import type { BriefSource, CutPart } from './output.ts'
import type { Part } from './parts.ts'
import { ROLES } from './roles.ts'
import { FRAME, headingOf, isUnchecked, type Quoted, setBrief, sourceLine } from './set.ts'

/** How many tokens a text is taken for. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)
}

const BYTES_A_TOKEN = 3.5

/** The least budget with which a brief says anything. */
export const LEAST_BUDGET = 200

/** What stands in an entry that was taken over from an earlier document. */
const CARRIED = /\bcarried over from\b/i
/** A longer entry is shortened, so that one cannot take the place of all others: this share of the room. */
const LARGEST_SHARE = 1 / 3
const SHORTENED = '[… cut]'
/** No entry is begun with fewer bytes than this. */
const LEAST_ENTRY = 60

/** A brief within its budget, and what did not fit. */
export interface Fitted {
  readonly text: string
  readonly boundary: string
  readonly cut: readonly CutPart[]
}

/**
 * Chooses what fits into a budget, and sets it.
 *
 * What is to be read first is chosen first, and what the nearest document says of its goal, decisions, blockers and
 * next steps before anything that was inherited.
 */
export function fitBrief(
  parts: readonly Part[],
  sources: readonly BriefSource[],
  budget: number,
): Fitted {
  const room = new Room(Math.floor(budget * BYTES_A_TOKEN) - FRAME)
  const quoted: Quoted[] = []
  const whole = new Map<Part, number>()
  const named = new Set<number>()
  for (const part of inOrderOfChoice(parts, sources)) {
    const lead = [
      ...headingOf(part, isUnchecked(sources[part.source])),
      ...(named.has(part.source) ? [] : sourceLine(part.source, sources)),
    ]
    for (const [i, entry] of part.entries.entries()) {
      const given = entry.split('\n')
      const rows = room.take(given, i === 0 ? sizeOf(lead) : 0)
      if (!rows) break
      named.add(part.source)
      quoted.push({ part, rows, inherited: isInherited(entry, sources[part.source]) })
      if (rows === given) whole.set(part, (whole.get(part) ?? 0) + 1)
    }
  }
  const cut = cutOf(parts, whole, sources)
  return { ...setBrief(quoted, sources, cut), cut }
}

function isInherited(entry: string, source: BriefSource | undefined): boolean {
  return isUnchecked(source) || (source?.verifiedBy === null && CARRIED.test(entry))
}

function cutOf(
  parts: readonly Part[],
  whole: ReadonlyMap<Part, number>,
  sources: readonly BriefSource[],
): CutPart[] {
  return inOrderOfChoice(parts, sources).flatMap(part => {
    const of = part.entries.length
    const entries = of - (whole.get(part) ?? 0)
    const { role, title, source } = part
    return entries > 0 ? [{ path: sources[source]?.path ?? '', role, title, entries, of }] : []
  })
}

function inOrderOfChoice(parts: readonly Part[], sources: readonly BriefSource[]): Part[] {
  const rank = ({ role, source }: Part) =>
    (role === 'rest' ? 2 * ROLES.length : ROLES.indexOf(role)) +
    (sources[source]?.inherited ? ROLES.length : 0)
  return parts.toSorted((a, b) => rank(a) - rank(b) || a.source - b.source)
}

/** The bytes that are left. */
class Room {
  private left: number
  private readonly largest: number

  constructor(bytes: number) {
    this.left = bytes
    this.largest = Math.floor(bytes * LARGEST_SHARE)
  }

  /** The rows that fit, shortened where they must be; nothing where there is no room for their beginning. */
  take(rows: readonly string[], around: number): readonly string[] | undefined {
    const most = Math.min(this.left, this.largest) - around
    const whole = sizeOf(rows)
    const fitting = whole <= most ? rows : most < LEAST_ENTRY ? undefined : shorten(rows, most)
    if (fitting) this.left -= sizeOf(fitting) + around
    return fitting
  }
}

/** What quoted rows take, with the mark before each and the line end behind it. */
function sizeOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 3, 0)
}

/** As many rows as fit, the last of them up to a whole character, and a mark that says so. */
function shorten(rows: readonly string[], most: number): string[] {
  let left = most - sizeOf([SHORTENED])
  const kept: string[] = []
  for (const row of rows) {
    const size = sizeOf([row])
    if (size > left) {
      const bytes = Buffer.from(row).subarray(0, Math.max(0, left - 3))
      // A character that was cut in two reads as a mark of replacement.
      const begun = bytes.toString().replace(/\ufffd+$/, '')
      if (begun.trim()) kept.push(begun)
      break
    }
    kept.push(row)
    left -= size
  }
  return [...kept, SHORTENED]
}
