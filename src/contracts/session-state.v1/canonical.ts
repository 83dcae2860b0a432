/** JSON that is equal for values that differ only in key order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part)) ?? ''
}

const isObject = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const sorted = (part: object) =>
  Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
