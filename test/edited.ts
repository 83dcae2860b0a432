/** A copy with another value at one of its places, or a key more or less in one of its objects. */
export function edited(value: unknown, at: number, other: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? null))
  const places: (() => void)[] = []
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const fields = part as Record<string, unknown>
    for (const key of Object.keys(fields)) {
      places.push(() => put(fields, key, other))
      if (!Array.isArray(part)) places.push(() => delete fields[key])
      visit(fields[key])
    }
    if (Array.isArray(part)) {
      places.push(() => part.push(other ?? null))
      return
    }
    for (const key of ['extra', '__proto__', 'constructor', 'a\nb'])
      places.push(() => put(fields, key, other))
  }
  visit(copy)
  places[at % Math.max(places.length, 1)]?.()
  return copy
}

function put(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return
  Object.defineProperty(fields, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
