import type { InputProperty, InputSchema } from '../operations/operation.ts'
import type { CatalogueEntry, Request } from './parse.ts'

/** Formats of `check` beyond the two that every verb has; stated here so that help needs no rendering. */
const MORE_FORMATS: Readonly<Record<string, readonly string[]>> = {
  check: ['sarif', 'github', 'junit'],
  'log export': ['cloudevents'],
  trace: ['mermaid'],
}

/** The formats that a verb's result can be shown in. */
export function formatsOf(verb: string): readonly string[] {
  return ['text', 'json', ...(MORE_FORMATS[verb] ?? [])]
}

/** The flag of an input. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`)}`
}

/**
 * What a plainly written command line asks for; `undefined` where it takes more to tell, and where it is wrong.
 *
 * Plain is a verb, words for its places, and flags in full, each once and before its value. Most lines are, and loading
 * what reads every line, with help and suggestions, takes an eighth of a short run.
 */
export function readPlain(
  catalogue: readonly CatalogueEntry[],
  argv: readonly string[],
): Request | undefined {
  const called = catalogue.filter(({ name }) => isCalled(name, argv))
  // A verb may hold others: `lock verify` is the second word's, not a `lock` of something.
  const entry = called.toSorted((a, b) => b.name.length - a.name.length)[0]
  if (!entry) return undefined
  const words = argv.slice(entry.name.split(' ').length)
  const { properties, required = [] } = entry.operation.input
  const given = readWords(words, properties, formatsOf(entry.name))
  if (!given || required.some(name => !Object.hasOwn(given, name))) return undefined
  const below = catalogue.flatMap(({ name }) => wordBelow(entry.name, name))
  // The parser of all lines reads these words as a verb below this one.
  const isBelow = (word: unknown) => below.length > 0 && [...below, 'help'].includes(String(word))
  if (Object.keys(given).some(name => properties[name]?.positional && isBelow(given[name])))
    return undefined
  const { format = 'text', now, root, quiet = false, ...input } = given
  return { entry, input, format, now, root, quiet } as Request
}

/** The options of a plainly written `mcp` line, the start of every session of an agent. */
export function readServe(argv: readonly string[]): ServeRequest | undefined {
  if (argv[0] !== 'mcp') return undefined
  const given = readWords(argv.slice(1), {}, [])
  return given && given.quiet === undefined && given.format === undefined ? given : undefined
}

/** What the server of tools is started with. */
export interface ServeRequest {
  readonly root?: string
  readonly now?: string
}

/** The last word of a verb below another one. */
function wordBelow(above: string, name: string): string[] {
  return name.startsWith(`${above} `) ? [name.slice(above.length + 1)] : []
}

function isCalled(name: string, argv: readonly string[]): boolean {
  return name.split(' ').every((word, at) => argv[at] === word)
}

type Properties = InputSchema['properties']
type Values = Record<string, unknown>
type Flag = Pick<InputProperty, 'type' | 'enum'> & { readonly name: string }

const QUIET: Flag = { name: 'quiet', type: 'boolean' }
const SHARED: readonly [string, Flag][] = [
  ['--now', { name: 'now', type: 'string' }],
  ['--root', { name: 'root', type: 'string' }],
  ['--quiet', QUIET],
  ['-q', QUIET],
]

/** The values by the names of their inputs and of the flags that all verbs share. */
function readWords(
  words: readonly string[],
  properties: Properties,
  formats: readonly string[],
): Values | undefined {
  const flags = flagsOf(properties, formats)
  const given: Values = {}
  const places: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!isFlag(word)) {
      places.push(word)
      continue
    }
    const flag = flags.get(word)
    if (!flag || Object.hasOwn(given, flag.name)) return undefined
    const value = flag.type === 'boolean' || words[++at]
    if (!isPlain(value, flag)) return undefined
    given[flag.name] = value
  }
  return takePlaces(places, properties, given) ? given : undefined
}

function flagsOf(properties: Properties, formats: readonly string[]): Map<string, Flag> {
  const flags = new Map<string, Flag>(SHARED)
  flags.set('--format', { name: 'format', type: 'string', enum: formats })
  for (const [name, property] of Object.entries(properties))
    if (!property.positional) flags.set(flagOf(name), { ...property, name })
  return flags
}

/** Lays words out over the inputs that are given by position; whether all of them found one that takes them. */
function takePlaces(places: string[], properties: Properties, given: Values): boolean {
  for (const [name, { positional, type, enum: choices }] of Object.entries(properties)) {
    if (!positional || places.length === 0) continue
    const words = type === 'array' ? places.splice(0) : places.splice(0, 1)
    if (choices && !words.every(word => choices.includes(word))) return false
    given[name] = type === 'array' ? words : words[0]
  }
  return places.length === 0
}

function isPlain(value: string | true | undefined, { type, enum: choices }: Flag): boolean {
  if (value === true) return true
  return (
    type === 'string' && value !== undefined && !isFlag(value) && (choices?.includes(value) ?? true)
  )
}

/** A lone `-` stands for standard input. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}
