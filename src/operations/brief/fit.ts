import type { BriefSource, CutPart } from './output.ts'
import type { Part } from './parts.ts'
import { ROLES } from './roles.ts'
import {
  frameSize,
  headingOf,
  isUnchecked,
  listSize,
  type Omission,
  type Quoted,
  setBrief,
  sourceLine,
  summarySize,
} from './set.ts'

/** Returns the estimated number of tokens in a text. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)
}

const BYTES_A_TOKEN = 3.5

/** The minimum budget, in tokens. */
export const LEAST_BUDGET = 200

/** Marks an entry carried over from an earlier document. */
const CARRIED = /\bcarried over from\b/i
/** A longer entry is shortened to this share of the room, so that one entry cannot displace all others. */
const LARGEST_SHARE = 1 / 3
const SHORTENED = '[… cut]'
/** An entry is shortened to no fewer than this many bytes. */
const LEAST_ENTRY = 60

/** A brief within its budget, and what did not fit. */
export interface Fitted {
  readonly text: string
  readonly boundary: string
  readonly cut: readonly CutPart[]
}

/** The list of cut entries may take this share of a brief; above it, only counts are shown. */
const LARGEST_LIST = 1 / 4

/**
 * Chooses the entries that fit into a budget, and renders them.
 *
 * Goal, decisions, blockers and next steps of the nearest document are chosen before inherited ones.
 */
export function fitBrief(
  parts: readonly Part[],
  sources: readonly BriefSource[],
  budget: number,
  notes: readonly string[] = [],
): Fitted {
  const most = Math.floor(budget * BYTES_A_TOKEN)
  const frame = frameSize(notes)
  const ordered = inOrderOfChoice(parts, sources)
  const whole = choose(ordered, sources, new Room(most - frame, 1), false)
  if (whole.left.length === 0) {
    const set = setBrief(whole.quoted, sources, { left: [], isListed: false, notes })
    return { ...set, cut: [] }
  }
  const all = ordered.map(part => ({ part, entries: part.entries.length }))
  const listed = listSize(all, sources)
  const isListed = listed <= most * LARGEST_LIST
  const overhead = frame + summarySize(all) + (isListed ? listed : 0)
  const room = new Room(most - overhead, LARGEST_SHARE)
  const { quoted, left } = choose(ordered, sources, room, isListed)
  const cut = left.map(({ part: { role, title, source, entries: all }, entries }) => {
    return { path: sources[source]?.path ?? '', role, title, entries, of: all.length }
  })
  return { ...setBrief(quoted, sources, { left, isListed, notes }), cut }
}

interface Chosen {
  readonly quoted: readonly Quoted[]
  readonly left: readonly Omission[]
}

/** Takes entries, part by part, while there is room; `areNamed` says that room for all sources is already reserved. */
function choose(
  parts: readonly Part[],
  sources: readonly BriefSource[],
  room: Room,
  areNamed: boolean,
): Chosen {
  const quoted: Quoted[] = []
  const left: Omission[] = []
  const known = new Set<number>()
  for (const part of parts) {
    const source = sources[part.source]
    const isKnown = areNamed || known.has(part.source)
    const name = isKnown ? [] : sourceLine(part.source, sources)
    const taken = takeFrom(part, sizeOf([...headingOf(part, isUnchecked(source)), ...name]), room)
    if (taken.length > 0) known.add(part.source)
    const isWhole = (rows: readonly string[], i: number) => rows.join('\n') === part.entries[i]
    const entries = part.entries.length - taken.filter(isWhole).length
    if (entries > 0) left.push({ part, entries })
    for (const [i, rows] of taken.entries())
      quoted.push({ part, rows, inherited: isInherited(part.entries[i] ?? '', source) })
  }
  return { quoted, left }
}

/** Takes the entries of a part that fit, counting `lead` bytes of heading for the first. */
function takeFrom({ entries }: Part, lead: number, room: Room): (readonly string[])[] {
  const taken: (readonly string[])[] = []
  for (const entry of entries) {
    const rows = room.take(entry.split('\n'), taken.length === 0 ? lead : 0)
    if (!rows) break
    taken.push(rows)
  }
  return taken
}

function isInherited(entry: string, source: BriefSource | undefined): boolean {
  return isUnchecked(source) || (source?.verifiedBy === null && CARRIED.test(entry))
}

function inOrderOfChoice(parts: readonly Part[], sources: readonly BriefSource[]): Part[] {
  const rank = ({ role, source }: Part) =>
    (role === 'rest' ? 2 * ROLES.length : ROLES.indexOf(role)) +
    (sources[source]?.inherited ? ROLES.length : 0)
  return parts.toSorted((a, b) => rank(a) - rank(b) || a.source - b.source)
}

/** The remaining bytes. */
class Room {
  private left: number
  private readonly largest: number

  constructor(bytes: number, largestShare: number) {
    this.left = bytes
    this.largest = Math.floor(bytes * largestShare)
  }

  /** Takes the rows that fit, shortened if needed; returns undefined when not even their beginning fits. */
  take(rows: readonly string[], lead: number): readonly string[] | undefined {
    const most = Math.min(this.left - lead, this.largest)
    const whole = sizeOf(rows)
    const fitting = whole <= most ? rows : most < LEAST_ENTRY ? undefined : shorten(rows, most)
    if (fitting) this.left -= sizeOf(fitting) + lead
    return fitting
  }
}

/** Returns the bytes of quoted rows, each with its mark and line end. */
function sizeOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 3, 0)
}

/** Returns the rows that fit, the last one cut at a whole character, followed by a cut mark. */
function shorten(rows: readonly string[], most: number): string[] {
  let left = most - sizeOf([SHORTENED])
  const kept: string[] = []
  for (const row of rows) {
    const size = sizeOf([row])
    if (size > left) {
      const bytes = Buffer.from(row).subarray(0, Math.max(0, left - 3))
      // A character cut in half decodes to a replacement character.
      const begun = bytes.toString().replace(/\ufffd+$/, '')
      if (begun.trim()) kept.push(begun)
      break
    }
    kept.push(row)
    left -= size
  }
  return [...kept, SHORTENED]
}
