import type { CutPart } from './output.ts'
import type { Part, QuotedSource } from './parts.ts'
import { ROLES } from './roles.ts'
import {
  entriesIn,
  frameSize,
  headingOf,
  isUnchecked,
  listSize,
  type Omission,
  type Quoted,
  reportOn,
  reportSize,
  setBrief,
  sourceLine,
  summarySize,
} from './set.ts'

/** Returns the estimated number of tokens in a text. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)
}

/** The bytes that count as one token. */
export const BYTES_A_TOKEN = 3.5

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
  /** Absent when the budget does not hold every rule. */
  readonly text?: string
  readonly boundary?: string
  readonly left: readonly Omission[]
  readonly cut: readonly CutPart[]
  /** The least budget that holds every rule, in tokens. */
  readonly needs?: number
}

/** The list of cut entries may take this share of a brief; above it, only counts are shown. */
const LARGEST_LIST = 1 / 4

/**
 * Chooses the entries that fit into a budget, and renders them.
 *
 * Rules are never shortened or left out. Then the nearest document comes before what it inherits.
 */
export function fitBrief(
  parts: readonly Part[],
  sources: readonly QuotedSource[],
  budget: number,
  notes: readonly string[] = [],
): Fitted {
  const most = Math.floor(budget * BYTES_A_TOKEN)
  const ordered = inOrderOfChoice(parts, sources)
  const all = ordered.map(leftOut)
  const frame = frameSize(notes) + reportSize(ordered, all)
  const finish = ({ quoted, left }: Chosen, isListed: boolean): Fitted => ({
    ...setBrief(quoted, sources, { left, isListed, notes, report: reportOn(ordered, left) }),
    left,
    cut: left.map(omission => cutPart(omission, sources)),
  })
  const whole = choose(ordered, sources, new Room(most - frame, 1), false)
  if (whole.left.length === 0) return finish(whole, false)
  const listed = listSize(all, sources)
  for (const isListed of listed <= most * LARGEST_LIST ? [true, false] : [false]) {
    const overhead = frame + summarySize(all) + (isListed ? listed : 0)
    const room = new Room(most - overhead, LARGEST_SHARE)
    const chosen = choose(ordered, sources, room, isListed)
    if (!chosen.left.some(({ part }) => part.role === 'rules')) return finish(chosen, isListed)
  }
  return refuse(ordered, sources, frame + summarySize(all))
}

/** Names the rules that do not fit, and the budget that would hold them. */
function refuse(
  parts: readonly Part[],
  sources: readonly QuotedSource[],
  overhead: number,
): Fitted {
  const rules = parts.filter(({ role }) => role === 'rules')
  const room = new Room(Number.MAX_SAFE_INTEGER, 1)
  choose(rules, sources, room, false)
  const left = rules.map(leftOut)
  const needs = Math.ceil((overhead + room.taken) / BYTES_A_TOKEN)
  return { left, cut: left.map(omission => cutPart(omission, sources)), needs }
}

function leftOut(part: Part): Omission {
  return { part, shortened: [], missing: part.entries.map((_, i) => i) }
}

function cutPart(omission: Omission, sources: readonly QuotedSource[]): CutPart {
  const { role, title, source, entries } = omission.part
  const path = sources[source]?.path ?? ''
  return { path, role, title, entries: entriesIn(omission), of: entries.length }
}

interface Chosen {
  readonly quoted: readonly Quoted[]
  readonly left: readonly Omission[]
}

/** Takes entries, part by part, while there is room; `areNamed` says that room for all sources is already reserved. */
function choose(
  parts: readonly Part[],
  sources: readonly QuotedSource[],
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
    const indexes = part.entries.map((_, i) => i)
    const shortened = indexes.filter(i => taken[i] && taken[i].join('\n') !== part.entries[i])
    const missing = indexes.slice(taken.length)
    if (shortened.length + missing.length > 0) left.push({ part, shortened, missing })
    for (const [i, rows] of taken.entries())
      quoted.push({ part, rows, inherited: isInherited(part.entries[i] ?? '', source) })
  }
  return { quoted, left }
}

/** Takes the entries of a part that fit, counting `lead` bytes of heading for the first. */
function takeFrom({ entries, role }: Part, lead: number, room: Room): (readonly string[])[] {
  const taken: (readonly string[])[] = []
  for (const entry of entries) {
    const rows = entry.split('\n')
    const share = taken.length === 0 ? lead : 0
    const fitting = role === 'rules' ? room.takeWhole(rows, share) : room.take(rows, share)
    if (!fitting) break
    taken.push(fitting)
  }
  return taken
}

function isInherited(entry: string, source: QuotedSource | undefined): boolean {
  return isUnchecked(source) || (source?.verifiedBy === null && CARRIED.test(entry))
}

function inOrderOfChoice(parts: readonly Part[], sources: readonly QuotedSource[]): Part[] {
  const rank = ({ role, source }: Part) => {
    const own = ROLES.indexOf(role)
    if (role === 'rules' || !sources[source]?.inherited) return own
    // Inherited decisions give way to what has to be done next, but to nothing else.
    return (role === 'decisions' ? ROLES.indexOf('blockers') : own) + 0.5
  }
  return parts.toSorted((a, b) => rank(a) - rank(b) || a.source - b.source)
}

/** The remaining bytes. */
class Room {
  /** The bytes used so far. */
  taken = 0
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
    return fitting && this.use(fitting, lead)
  }

  /** Takes rows only in full, however much of the room they need. */
  takeWhole(rows: readonly string[], lead: number): readonly string[] | undefined {
    return sizeOf(rows) + lead <= this.left ? this.use(rows, lead) : undefined
  }

  private use(rows: readonly string[], lead: number): readonly string[] {
    const size = sizeOf(rows) + lead
    this.left -= size
    this.taken += size
    return rows
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
