/** The most bytes of an answer's data; its text is shorter. */
const MOST_BYTES = 32 * 1024

/** A list or text of which a page holds only a part. */
export interface Rest {
  /** Its place in the whole answer, as a JSON Pointer. */
  readonly at: string
  /** How many entries or characters were given up to here, of how many. */
  readonly given: number
  readonly of: number
  readonly cursor: string
}

type Fields = Readonly<Record<string, unknown>>

/** Answers that are too long for one page, the newest last, so that their rest needs no second run. */
export class Pages {
  readonly #kept = new Map<string, Fields>()
  #number = 0

  /** The first page of an answer; an answer that fits is its own page. */
  first(answer: Fields): Fields {
    if (sizeOf(answer) <= MOST_BYTES) return answer
    const name = String(++this.#number)
    this.#kept.set(name, answer)
    for (const key of this.#kept.keys()) if (this.#kept.size > MOST_KEPT) this.#kept.delete(key)
    const rest: Rest[] = []
    const part = fitted(answer, ROOM, { name, at: '', from: 0, rest })
    return { ...(part as Fields), rest }
  }

  /** The page at a cursor; undefined when it is none, or its answer is no longer kept. */
  at(cursor: string): Fields | undefined {
    const [, name = '', at = '', offset] = /^(\d+):(.*):(\d+)$/s.exec(cursor) ?? []
    const answer = this.#kept.get(name)
    const value = answer && valueAt(answer, at)
    if (typeof value !== 'string' && !Array.isArray(value)) return undefined
    const from = Number(offset)
    const rest: Rest[] = []
    const part = fitted(value.slice(from), ROOM, { name, at, from, rest })
    return { at, from, of: value.length, part, ...(rest.length > 0 && { rest }) }
  }
}

/** Enough for a conversation with several calls at once. */
const MOST_KEPT = 8
/** Leaves place for the list of what is left out. */
const ROOM = MOST_BYTES - 4 * 1024

interface Place {
  readonly name: string
  readonly at: string
  /** The entry or character that the value begins with. */
  readonly from: number
  readonly rest: Rest[]
}

function fitted(value: unknown, room: number, place: Place): unknown {
  if (sizeOf(value) <= room) return value
  if (typeof value === 'string') return startOf(value, room, place)
  if (Array.isArray(value)) return entriesOf(value, room, place)
  return typeof value === 'object' && value !== null ? partsOf(value, room, place) : value
}

function startOf(text: string, room: number, place: Place): string {
  // A character takes at most six bytes in JSON.
  let end = Math.max(1, Math.min(text.length, room))
  while (end > 1 && sizeOf(text.slice(0, end)) > room) end = Math.floor(end * 0.8)
  if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end += 1
  note(end, text.length, place)
  return text.slice(0, end)
}

function entriesOf(entries: readonly unknown[], room: number, place: Place): unknown[] {
  const taken: unknown[] = []
  let left = room
  for (const [i, entry] of entries.entries()) {
    const size = sizeOf(entry) + 1
    if (size > left && i > 0) break
    const inner = { ...place, at: `${place.at}/${place.from + i}`, from: 0 }
    taken.push(fitted(entry, left, inner))
    left -= size
  }
  if (taken.length < entries.length) note(taken.length, entries.length, place)
  return taken
}

/** Gives each part an equal share; what small parts do not need is for the large ones. */
function partsOf(parts: object, room: number, place: Place): Fields {
  const sizes = Object.entries(parts).map(([key, part]) => [key, sizeOf(part)] as const)
  const fits: Record<string, unknown> = { ...parts }
  let left = room - sizes.reduce((sum, [key]) => sum + key.length + 4, 0)
  let open = sizes.length
  for (const [key, size] of sizes.toSorted(([, a], [, b]) => a - b)) {
    const share = Math.max(0, Math.floor(left / open--))
    const at = `${place.at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    fits[key] = size <= share ? fits[key] : fitted(fits[key], share, { ...place, at, from: 0 })
    left -= Math.min(size, share)
  }
  return fits
}

function note(taken: number, length: number, { name, at, from, rest }: Place): void {
  const given = from + taken
  rest.push({ at, given, of: from + length, cursor: `${name}:${at}:${given}` })
}

function valueAt(answer: Fields, at: string): unknown {
  const keys = at.split('/').slice(1)
  return keys.reduce<unknown>((value, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Fields)[name]
      : undefined
  }, answer)
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
