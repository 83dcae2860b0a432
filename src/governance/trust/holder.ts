import { quote } from '../../contract/index.ts'

/** What a key can belong to. */
export const HOLDER_KINDS = ['agent', 'person', 'gateway', 'log'] as const

/** What sort of thing holds a key. */
export type HolderKind = (typeof HOLDER_KINDS)[number]

/** Whose key it is: an agent or a person by name, a gateway or a log by the origin of its checkpoints. */
export interface Holder {
  readonly kind: HolderKind
  readonly name: string
}

/** More than any id has; names of key files are made of them. */
const LONGEST = 200

/**
 * Why a text can be nobody's name, or `undefined` if it can.
 *
 * Only visible ASCII: of two names that look alike to a reader, one would be trusted for the other.
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

/** A holder as people read and write it: `agent domain-05-product`. */
export function holderText({ kind, name }: Holder): string {
  return `${kind} ${name}`
}
