type Fields = Readonly<Record<string, unknown>>

/** A summary of an answer, whose data the client has in full. */
export function summaryOf(answer: Fields): string {
  const lines = linesOf(answer, '')
  const text = lines.slice(0, MOST_LINES).join('\n')
  return lines.length > MOST_LINES ? `${text}\n…` : text
}

/** What a refusal is about and what to do, as its answer says it. */
export function refusalIn(answer: Fields): string[] {
  const { diagnostics = [], missing = [], refused = [], documents = [], note } = answer as Lists
  const nested = [...refused, ...documents].flatMap(one => one.diagnostics ?? [])
  const faults = [...diagnostics, ...nested].filter(({ severity }) => severity !== 'info')
  return [
    ...faults.map(fault => faultLines(fault).join('\n')),
    ...missing.map(({ field, what }) => `${field} is missing: ${what}`),
    ...(typeof note === 'string' ? [note] : []),
  ].slice(0, MOST_FAULTS)
}

function faultLines({ code, message, hint, line }: Fault): string[] {
  const where = line === undefined ? '' : ` (line ${line})`
  return [`${code}: ${message}${where}`, ...(hint ? [`  ${hint}`] : [])]
}

interface Fault {
  readonly code?: string
  readonly severity?: string
  readonly message?: string
  readonly hint?: string
  readonly line?: number
}

interface Lists {
  readonly diagnostics?: readonly Fault[]
  readonly missing?: readonly { readonly field: string; readonly what: string }[]
  readonly refused?: readonly { readonly diagnostics?: readonly Fault[] }[]
  readonly documents?: readonly { readonly diagnostics?: readonly Fault[] }[]
  readonly note?: unknown
}

const MOST_FAULTS = 20
const MOST_LINES = 40
const MOST_ENTRIES = 10
const LONGEST = 200

function linesOf(fields: Fields, indent: string): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (isScalar(value)) return isNothing(value) ? [] : [`${indent}${key}: ${oneLine(value)}`]
    if (!Array.isArray(value)) {
      const words = wordsIn(value as Fields)
      return words === '' ? [] : [`${indent}${key}: ${words}`]
    }
    if (value.length === 0) return []
    const entries = value.slice(0, MOST_ENTRIES).flatMap(entry => entryLines(entry, `${indent}  `))
    const more = value.length > MOST_ENTRIES ? [`${indent}  …`] : []
    return [`${indent}${key}: ${value.length}`, ...entries, ...more]
  })
}

function entryLines(entry: unknown, indent: string): string[] {
  if (isScalar(entry) || Array.isArray(entry)) return [`${indent}- ${oneLine(entry)}`]
  const fields = entry as Fields
  if (typeof fields.message === 'string')
    return faultLines(fields as Fault).map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line}`)
  const lists = Object.entries(fields).filter(([, value]) => isTable(value))
  return [`${indent}- ${wordsIn(fields)}`, ...linesOf(Object.fromEntries(lists), `${indent}  `)]
}

function wordsIn(fields: Fields): string {
  const words = Object.entries(fields).flatMap(([key, value]) =>
    isScalar(value) && !isNothing(value) ? [`${key} ${oneLine(value)}`] : [],
  )
  return cut(words.join(', '))
}

const oneLine = (value: unknown) =>
  cut((typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' '))

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** Lists of words inside of entries are details. */
function isTable(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && !value.every(isScalar)
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || value === undefined
}
