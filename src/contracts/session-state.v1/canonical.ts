/** A text that is the same for two values that differ in nothing but the order of keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part)) ?? ''
}

const isObject = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const sorted = (part: object) =>
  Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
