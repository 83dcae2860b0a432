import type { DetailedError, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { quote, spelled } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import type { PolicyCode } from './codes.ts'
import { askCedar } from './engine.ts'
import { actionsOf, depthOf, type Policy, type PolicyWords } from './policy.ts'
import { type Piece, splitPolicies } from './split.ts'

/** One thing wrong with a policy; the offsets are UTF-16 units of its text, all of it where they are absent. */
export interface PieceFault {
  readonly code: PolicyCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly hint: string
  readonly start?: number
  readonly end?: number
}

/** A policy without its id and place, or the faults for which there is none. */
export interface ReadPolicy {
  readonly policy?: Omit<Policy, 'id' | 'place'>
  /** The policy as the engine has parsed it. */
  readonly form?: PolicyJson
  /** Its own @id. */
  readonly name?: string
  readonly faults: readonly PieceFault[]
}

/** The engine can follow twice as much of either. */
const MOST_NESTED = 48
const MOST_DEEP = 100
const LONGEST = 16 * 1024

const COMPLEX: PieceFault = {
  code: 'policy/too-complex',
  severity: 'error',
  message: 'the policy is nested deeper, or chained longer, than the engine can follow',
  hint: 'write several policies, or name a set instead of many alternatives',
}

/** The fault of a policy that the engine has failed on. */
export const tooComplex = (): PieceFault => COMPLEX

/** Reads one policy; nothing of it is compared with the schema yet. */
export function readPolicy({ text, depth }: Piece): ReadPolicy {
  if (depth > MOST_NESTED || text.length > LONGEST) return { faults: [COMPLEX] }
  let answer: ReturnType<Parse>
  try {
    answer = askCedar(cedar => cedar.policyToJson(text))
  } catch (error) {
    if (!isTrap(error)) throw error
    return { faults: [COMPLEX] }
  }
  if (answer.type === 'failure') return { faults: answer.errors.map(e => syntaxFault(e, text)) }
  const { json } = answer
  if (depthOf(json) > MOST_DEEP) return { faults: [COMPLEX] }
  const { words, name, faults } = readAnnotations(json)
  const policy = { effect: json.effect, actions: actionsOf(json), ...words, text }
  return { policy, form: json, faults, ...(name !== undefined && { name }) }
}

/** The built-in policies as their text says them. */
export function readBuiltIn(text: string): Policy[] {
  return splitPolicies(text).map(piece => {
    const { policy, name, faults } = readPolicy(piece)
    const [fault] = faults
    if (policy && name !== undefined && !fault) return { ...policy, id: `waybill/${name}` }
    throw new Error(`a built-in policy is at fault: ${fault?.message ?? 'it has no @id'}`)
  })
}

type Parse = (
  policy: string,
) => ReturnType<typeof import('@cedar-policy/cedar-wasm/nodejs').policyToJson>

/** Whether the engine has failed inside, as it does on what is too deep for its stack. */
export function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

const PARSER = /^failed to parse polic(?:y|ies)(?: set)? from (?:string|text): /

function syntaxFault(error: DetailedError, text: string): PieceFault {
  const label = error.sourceLocations?.[0]?.label
  const message = inWords(error.message.replace(PARSER, '')) + (label ? `: ${inWords(label)}` : '')
  const hint = error.help ? inWords(error.help) : 'mend the place that is shown'
  return { code: 'policy/syntax', severity: 'error', message, hint, ...spanOf(error, text) }
}

/** A text of the engine's as it may be shown: it repeats what stands in the policy. */
export function inWords(text: string): string {
  const plain = spelled(maskSecrets(text.replaceAll('`', "'")))
  return plain.length > 400 ? `${plain.slice(0, 400)}…` : plain
}

/** The engine counts bytes. */
export function spanOf(
  { sourceLocations }: DetailedError,
  text: string,
): { start?: number; end?: number } {
  const [place] = sourceLocations ?? []
  if (!place) return {}
  const bytes = Buffer.from(text)
  const offset = (byte: number) => bytes.subarray(0, byte).toString().length
  return { start: offset(place.start), end: offset(place.end) }
}

const KNOWN = new Set(['id', 'reason', 'remedy', 'needs'])
const NAME = /^[A-Za-z0-9._-]{1,64}$/

function readAnnotations(json: PolicyJson) {
  const faults: PieceFault[] = []
  const told = (severity: 'error' | 'warning', message: string, hint: string) =>
    void faults.push({ code: 'policy/annotation', severity, message, hint })
  const given = new Map(Object.entries(json.annotations ?? {}))
  for (const [key, value] of given) {
    if (!KNOWN.has(key)) {
      told(
        'warning',
        `nothing reads the annotation ${quote(`@${key}`)}`,
        'use @id, @reason, @remedy and @needs',
      )
    } else if (key === 'id' && !NAME.test(value)) {
      told(
        'error',
        `${quote(value)} is no @id`,
        'use up to 64 letters, digits, dots, hyphens and underscores',
      )
    } else if (value.trim() === '') {
      told('error', `@${key} says nothing`, 'say it in words, or leave the annotation out')
    }
  }
  if (given.has('needs') && json.effect === 'permit') {
    told(
      'warning',
      '@needs counts on a forbid alone',
      'write what must be there into the conditions of the permit',
    )
  }
  const name = given.get('id')
  const words: PolicyWords = {
    ...one('reason', given),
    ...one('remedy', given),
    ...(json.effect === 'forbid' && one('needs', given)),
  }
  return { words, faults, ...(name !== undefined && NAME.test(name) && { name }) }
}

function one(key: keyof PolicyWords, given: ReadonlyMap<string, string>): PolicyWords {
  const text = given.get(key)?.trim()
  return text ? { [key]: spelled(maskSecrets(text)) } : {}
}
