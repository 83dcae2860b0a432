import { quote } from '../../contract/index.ts'

/** The kinds of key holders. */
export const HOLDER_KINDS = ['agent', 'person', 'gateway', 'log'] as const

/** The kind of a key holder. */
export type HolderKind = (typeof HOLDER_KINDS)[number]

/** The holder of a key: an agent or a person by name, a gateway or a log by the origin of its checkpoints. */
export interface Holder {
  readonly kind: HolderKind
  readonly name: string
}

/** Longer than any id; key file names are built from names. */
const LONGEST = 200

/**
 * Returns why a text is not a valid name, or `undefined` if it is.
 *
 * Only visible ASCII: names that look alike could be confused.
 */
export function whyNoName(name: string): string | undefined {
  const foreign = /[^ -~]/u.exec(name)?.[0]
  if (foreign !== undefined) {
    const point = (foreign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `${quote(name)} holds ${quote(foreign)} (U+${point}), which is not ASCII and may look like a letter that is`
  }
  if (name.trim() === '' || name.trim() !== name)
    return `${quote(name)} begins or ends with a space`
  if (name.length > LONGEST) return `${quote(name)} has more than ${LONGEST} characters`
  return undefined
}

/** A holder as shown to people: `agent domain-05-product`. */
export function holderText({ kind, name }: Holder): string {
  return `${kind} ${name}`
}
