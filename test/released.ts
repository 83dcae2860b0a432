import { isDeepStrictEqual } from 'node:util'
import { LOOSE_TIMESTAMP_PATTERN, TIMESTAMP_PATTERN } from '../src/document/index.ts'

type Json = Readonly<Record<string, unknown>>

/** Words about a schema, which may be bettered at any time. */
const WORDS = ['title', 'description', 'examples', '$comment']
const COMPARED_APART = [
  'properties',
  'required',
  'items',
  'additionalProperties',
  '$defs',
  'definitions',
  '$ref',
]

/** Every way in which a schema does more to its released form than gain optional fields and forms of times, as sentences. */
export function breachesOf(released: Json, current: Json): string[] {
  return compare({ root: released, node: released }, { root: current, node: current }, '')
}

interface Place {
  readonly root: Json
  readonly node: unknown
}

function compare(before: Place, after: Place, at: string): string[] {
  const [old, now] = [follow(before), follow(after)]
  if (!isJson(old) || !isJson(now)) {
    return isDeepStrictEqual(old, now) ? [] : [`${at || 'the root'} is another schema`]
  }
  const keywords = new Set([...Object.keys(old), ...Object.keys(now)])
  for (const keyword of [...WORDS, ...COMPARED_APART]) keywords.delete(keyword)
  return [
    ...[...keywords]
      .filter(keyword => !isDeepStrictEqual(old[keyword], now[keyword]))
      .filter(keyword => !isWidenedTime(old[keyword], now[keyword]))
      .map(keyword => `${keyword} of ${at || 'the root'} has changed`),
    ...compareRequired(old, now, at),
    ...compareProperties({ ...before, node: old }, { ...after, node: now }, at),
    ...(['items', 'additionalProperties'] as const).flatMap(keyword =>
      compare(
        { ...before, node: old[keyword] },
        { ...after, node: now[keyword] },
        `${at}/${keyword}`,
      ),
    ),
  ]
}

/** The pattern of times takes more forms than it did, and all that it took. */
function isWidenedTime(old: unknown, now: unknown): boolean {
  return old === TIMESTAMP_PATTERN && now === LOOSE_TIMESTAMP_PATTERN
}

function compareRequired(old: Json, now: Json, at: string): string[] {
  const [before, after] = [names(old.required), names(now.required)]
  return [
    ...after.filter(key => !before.includes(key)).map(key => `${at}/${key} has become required`),
    ...before.filter(key => !after.includes(key)).map(key => `${at}/${key} is no longer required`),
  ]
}

function compareProperties(before: Place, after: Place, at: string): string[] {
  const [old, now] = [before, after].map(({ node }) => (isJson(node) ? node.properties : undefined))
  const known = isJson(now) ? now : {}
  return Object.entries(isJson(old) ? old : {}).flatMap(([key, node]) =>
    Object.hasOwn(known, key)
      ? compare({ ...before, node }, { ...after, node: known[key] }, `${at}/${key}`)
      : [`${at}/${key} is gone`],
  )
}

/** A shape that is written out in one place and referred to in another is the same shape. */
function follow({ root, node }: Place): unknown {
  if (!isJson(node) || typeof node.$ref !== 'string') return node
  let found: unknown = root
  for (const key of node.$ref.slice(2).split('/')) found = isJson(found) ? found[key] : undefined
  return found
}

function names(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.map(String) : []
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
