/** The kinds of statements that a gateway writes to its log. */
export const KINDS = [
  'handoff-sent',
  'handoff-accepted',
  'handoff-needs-input',
  'handoff-rejected',
  'security-event',
  'reconciliation',
  'erasure',
  'clock-jump',
  'key-change',
  'record',
  'approval',
  'task-answer',
  'writeback-decision',
  'writeback-outcome',
] as const

/** One kind of statement. */
export type EntryKind = (typeof KINDS)[number]

const PREDICATE = 'urn:waybill:predicate:'
const VERSION = ':v1'

/** The statement of a source agent in the envelope of a handoff. */
export const HANDOFF_PREDICATE = `${PREDICATE}handoff${VERSION}`

/** The predicate type of a kind of statement. */
export function predicateTypeOf(kind: EntryKind): string {
  return `${PREDICATE}${kind}${VERSION}`
}

/** The kind of statement with a predicate type; `undefined` for any other. */
export function kindOf(predicateType: string): EntryKind | undefined {
  return KINDS_BY_TYPE.get(predicateType)
}

const KINDS_BY_TYPE = new Map(KINDS.map(kind => [predicateTypeOf(kind), kind]))
