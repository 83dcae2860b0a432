import type { DetailedError, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { quote, spelled } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import type { PolicyCode } from './codes.ts'
import { askCedar } from './engine.ts'
import { actionsOf, depthOf, type Policy, type PolicyWords } from './policy.ts'
import { type Piece, splitPolicies } from './split.ts'

/** An error in a policy; offsets are UTF-16 units of its text, absent for the whole policy. */
export interface PieceFault {
  readonly code: PolicyCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly hint: string
  readonly start?: number
  readonly end?: number
}

/** A policy without id and place, or the errors in it. */
export interface ReadPolicy {
  readonly policy?: Omit<Policy, 'id' | 'place'>
  /** The policy as parsed by the engine. */
  readonly form?: PolicyJson
  /** Its @id. */
  readonly name?: string
  readonly faults: readonly PieceFault[]
}

/** The engine supports twice these limits. */
const MOST_NESTED = 48
const MOST_DEEP = 100
const LONGEST = 16 * 1024

const COMPLEX: PieceFault = {
  code: 'policy/too-complex',
  severity: 'error',
  message: 'the policy exceeds the nesting depth or chain length that the engine supports',
  hint: 'write several policies, or name a set instead of many alternatives',
}

/** The error of a policy on which the engine failed. */
export const tooComplex = (): PieceFault => COMPLEX

/** Parses one policy, without checking it against the schema. */
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

/** The built-in policies. */
export function readBuiltIn(text: string): Policy[] {
  return splitPolicies(text).map(piece => {
    const { policy, name, faults } = readPolicy(piece)
    const [fault] = faults
    if (policy && name !== undefined && !fault) return { ...policy, id: `waybill/${name}` }
    throw new Error(`a built-in policy is invalid: ${fault?.message ?? 'it has no @id'}`)
  })
}

type Parse = (
  policy: string,
) => ReturnType<typeof import('@cedar-policy/cedar-wasm/nodejs').policyToJson>

/** Whether the engine failed internally, as on input too deep for its stack. */
export function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

const PARSER = /^failed to parse polic(?:y|ies)(?: set)? from (?:string|text): /

function syntaxFault(error: DetailedError, text: string): PieceFault {
  const label = error.sourceLocations?.[0]?.label
  const message = inWords(error.message.replace(PARSER, '')) + (label ? `: ${inWords(label)}` : '')
  const hint = error.help ? inWords(error.help) : 'fix the place that is shown'
  return { code: 'policy/syntax', severity: 'error', message, hint, ...spanOf(error, text) }
}

/** Makes an engine text safe to show: it repeats text of the policy. */
export function inWords(text: string): string {
  const plain = spelled(maskSecrets(text.replaceAll('`', "'")))
  return plain.length > 400 ? `${plain.slice(0, 400)}…` : plain
}

/** The engine's offsets are bytes. */
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
  const report = (severity: 'error' | 'warning', message: string, hint: string) =>
    void faults.push({ code: 'policy/annotation', severity, message, hint })
  const given = new Map(Object.entries(json.annotations ?? {}))
  for (const [key, value] of given) {
    if (!KNOWN.has(key)) {
      report(
        'warning',
        `unknown annotation ${quote(`@${key}`)}`,
        'use @id, @reason, @remedy and @needs',
      )
    } else if (key === 'id' && !NAME.test(value)) {
      report(
        'error',
        `${quote(value)} is not a valid @id`,
        'use up to 64 letters, digits, dots, hyphens and underscores',
      )
    } else if (value.trim() === '') {
      report('error', `@${key} is empty`, 'write a text, or remove the annotation')
    }
  }
  if (given.has('needs') && json.effect === 'permit') {
    report(
      'warning',
      '@needs applies only to a forbid',
      'put the requirement in the conditions of the permit',
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
