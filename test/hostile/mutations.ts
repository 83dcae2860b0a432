import fc from 'fast-check'
import { dump } from 'js-yaml'
import type { Format } from '../../src/document/index.ts'

/** A change of a value or a text, by numbers that are taken modulo what there is. */
export interface Edit {
  readonly kind: 'delete' | 'replace' | 'duplicate' | 'reorder' | 'copy' | 'rename' | 'add'
  readonly place: number
  readonly other: number
  readonly key: string
  readonly value: unknown
}

type Container = unknown[] | Record<string, unknown>

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  '0',
  '~/~1',
  'k'.repeat(3000),
]
const ODD_STRINGS = [
  '',
  ' ',
  '*',
  '**',
  '..',
  '/',
  'null',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00+23:59',
  '\u202eevil\u2066',
  '\ud800',
  '\0\x1b[31m',
  '👩‍👩‍👧é\u0301',
  '$& $1 $$ \\1 %s',
  '{a,b}{c,d}[!z]',
  'x'.repeat(5000),
  '# Title\n\n## Section\n\n```json\n{}\n```\n',
]
const ODD_NUMBERS = [0, -0, -1, 0.1, 101, 1e21, 1e308, -1e308, 2 ** 53, 2 ** 53 + 2, 5e-324]

const nested = (depth: number) => {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

// Objects of their own: what is added to one must not be added to all of them.
const manyObjects = Array.from({ length: 300 }, () => ({}))

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(...ODD_STRINGS, ...ODD_NUMBERS, null, true, false, [], {}, [[]], [null]),
  fc.constantFrom<unknown>(nested(60), nested(150), Array(300).fill('a'), manyObjects),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** Some changes of any kind. */
export const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom('delete', 'replace', 'duplicate', 'reorder', 'copy', 'rename', 'add'),
    place: fc.nat(),
    other: fc.nat(),
    key: fc.oneof(fc.constantFrom(...ODD_KEYS), fc.string({ maxLength: 8 })),
    value: anyValue,
  }),
  { minLength: 1, maxLength: 4 },
)

/** A value after some changes; the value that was given is left alone. */
export function changeValue(value: unknown, changes: readonly Edit[]): unknown {
  const root = { value: structuredClone(value) }
  for (const change of changes) {
    const places = placesOf(root)
    const place = places[change.place % places.length]
    const other = places[change.other % places.length]
    if (place && other) apply(place, other, change)
  }
  return root.value
}

/** A value with one of its lists repeated up to a length, or itself where it has none; Markdown has its sections. */
export function blownUp(value: unknown, place: number, length: number): unknown {
  const root = { value: structuredClone(value) }
  const lists = placesOf(root).filter(({ parent, key }) => {
    const inner = read(parent, key)
    return Array.isArray(inner) && inner.length > 0
  })
  const { parent, key } = lists[place % lists.length] ?? { parent: root, key: 'value' }
  const list = [read(parent, key)].flat()
  const times = Math.ceil(length / JSON.stringify(list).length)
  write(parent, key, Array(times).fill(list).flat())
  return root.value
}

interface Place {
  readonly parent: Container
  readonly key: string
}

function placesOf(root: Container): Place[] {
  const places: Place[] = []
  const pending: Container[] = [root]
  for (let parent = pending.pop(); parent; parent = pending.pop()) {
    for (const [key, inner] of Object.entries(parent)) {
      places.push({ parent, key })
      if (typeof inner === 'object' && inner !== null) pending.push(inner as Container)
    }
  }
  return places
}

function apply({ parent, key }: Place, other: Place, { kind, value, key: name }: Edit): void {
  const here = read(parent, key)
  if (kind === 'replace') write(parent, key, structuredClone(value))
  else if (kind === 'copy') write(parent, key, structuredClone(read(other.parent, other.key)))
  else if (kind === 'add') add(here, name, structuredClone(value))
  else if (kind === 'duplicate') add(parent, name, structuredClone(here))
  else if (kind === 'reorder') {
    if (Array.isArray(here)) here.reverse()
  } else {
    remove(parent, key)
    if (kind === 'rename') add(parent, name, here)
  }
}

function read(parent: Container, key: string): unknown {
  return Object.getOwnPropertyDescriptor(parent, key)?.value
}

/** Not by assignment, which would take `__proto__` for the prototype. */
function write(parent: Container, key: string, value: unknown): void {
  Object.defineProperty(parent, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function add(parent: unknown, key: string, value: unknown): void {
  if (Array.isArray(parent)) parent.push(value)
  else if (typeof parent === 'object' && parent !== null) write(parent as Container, key, value)
}

function remove(parent: Container, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

/** A value as a text of a format; Markdown from its frontmatter and sections. */
export function serialise(value: unknown, format: Format): string {
  if (format === 'json') return JSON.stringify(value, null, 2) ?? ''
  if (format === 'yaml') return yaml(value)
  const { frontmatter, sections } = Object(value)
  const parts = (Array.isArray(sections) ? sections : [sections]).map(section => {
    const { title, level, body } = Object(section)
    return `${'#'.repeat(level === 2 ? 2 : 1)} ${text(title)}\n${text(body)}`
  })
  return `---\n${yaml(frontmatter)}---\n${parts.join('')}`
}

function yaml(value: unknown): string {
  return dump(value ?? null, { lineWidth: -1, noRefs: true })
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** A change of a text: where, how many characters or lines go, and what stands there instead. */
export interface TextEdit {
  readonly kind: 'characters' | 'lines' | 'truncate' | 'crlf' | 'cr' | 'mark'
  readonly at: number
  readonly count: number
  readonly insert: string
}

/** Some changes of a text. */
export const textEdits = fc.array(
  fc.record<TextEdit>({
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<TextEdit['kind']>('characters', 'lines') },
      {
        weight: 1,
        arbitrary: fc.constantFrom<TextEdit['kind']>('truncate', 'crlf', 'cr', 'mark'),
      },
    ),
    at: fc.nat(),
    count: fc.nat(5),
    insert: fc.oneof(
      fc.constantFrom(...'{}[]",:\'\\/-#>`|&*!%@?~\t\n\r\0\ufeff\ud800é', '---\n', '```json\n'),
      fc.constantFrom(
        '<!--',
        '-->',
        '\u2028',
        'a: &a [*a]\n',
        '? [',
        '%YAML 1.1\n',
        '- '.repeat(50),
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
)

/** A text after some changes. */
export function changeText(before: string, changes: readonly TextEdit[]): string {
  return changes.reduce(changeOnce, before)
}

function changeOnce(before: string, { kind, at, count, insert }: TextEdit): string {
  const start = at % (before.length + 1)
  switch (kind) {
    case 'characters':
      return before.slice(0, start) + insert + before.slice(start + count)
    case 'truncate':
      return before.slice(0, start)
    case 'crlf':
      return before.replaceAll('\n', '\r\n')
    case 'cr':
      return before.replaceAll('\n', '\r')
    case 'mark':
      return `\ufeff${before}`
    case 'lines': {
      const lines = before.split('\n')
      lines.splice(at % lines.length, count, ...(count % 2 ? [insert] : lines.slice(0, count)))
      return lines.join('\n')
    }
  }
}
