import {
  boolCoreTag,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  SCALAR_STYLE,
  type ScalarEvent,
  strTag,
} from 'js-yaml'
import type { ScalarNode } from './source-tree.ts'

/** The value of a scalar in YAML 1.2's core schema. */
type ScalarValue = Pick<ScalarNode, 'value' | 'integer'>

/** Characters that can begin a plain scalar that is not a string. */
const NO_STRING = /^(?:$|[-+.0-9~nNtTfF])/
const DECIMAL = /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/

interface ScalarTag {
  readonly tagName: string
  readonly resolve: (
    source: string,
    isExplicit: boolean,
    tagName: string,
  ) => ScalarNode['value'] | typeof NOT_RESOLVED
}

const TAGS: ReadonlyMap<string, ScalarTag> = new Map<string, ScalarTag>([
  ['!', strTag],
  ['!!str', strTag],
  ['!!null', nullCoreTag],
  ['!!bool', boolCoreTag],
  ['!!int', intCoreTag],
  ['!!float', floatCoreTag],
])

const PLAIN_TAGS: readonly ScalarTag[] = [intCoreTag, floatCoreTag, boolCoreTag, nullCoreTag]

/** Reads a scalar by its tag; `undefined` if the core schema has no such tag or the text does not fit it. */
export function resolveTagged(text: string, event: ScalarEvent): ScalarValue | undefined {
  const tag = TAGS.get(text.slice(event.tagStart, event.tagEnd))
  if (!tag) return undefined
  const value = tag.resolve(getScalarValue(text, event), true, tag.tagName)
  return value === NOT_RESOLVED ? undefined : { value, integer: tag === intCoreTag }
}

/** Reads an untagged scalar. */
export function resolveUntagged(text: string, event: ScalarEvent): ScalarValue {
  const source = getScalarValue(text, event)
  return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(source) : { value: source }
}

/** Reads the text of an unquoted, untagged scalar. */
function resolvePlain(source: string): ScalarValue {
  if (!NO_STRING.test(source)) return { value: source }
  for (const tag of PLAIN_TAGS) {
    const value = tag.resolve(source, false, tag.tagName)
    if (value !== NOT_RESOLVED) return { value, integer: tag === intCoreTag }
  }
  // The library reads a number that is too large as a string; other parsers read infinity.
  return { value: DECIMAL.test(source) ? Number(source) : source }
}
