type Scalar = string | number | boolean | null

const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
])
/** Numbers short enough that every parser reads them alike. */
const NUMBER = /^[-+]?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?$/
/** Anything else that might be a number in some notation. */
const NUMBERISH =
  /^(?:[-+]?(?:0[box].*|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN))$/

/** The value of an unquoted, untagged scalar in YAML's core schema; `undefined` if it needs the parser. */
export function plainScalar(source: string): Scalar | undefined {
  const word = WORDS.get(source)
  if (word !== undefined) return word
  if (NUMBER.test(source)) return Number(source)
  return NUMBERISH.test(source) ? undefined : source
}
