import type { ReadEntry } from './entry.ts'
import type { EntryIds } from './predicates.ts'

/** A summary of an entry: what happened, between which agents, and its ids. Holds no document text. */
export interface EntrySummary {
  readonly index: number
  readonly state: 'kept' | 'erased' | 'differs' | 'unreadable'
  /** The name of the entry, hex SHA-256; null if it cannot be read. */
  readonly digest: string | null
  readonly kind: string | null
  /** Gateway time, ISO 8601; null if the entry was erased. */
  readonly at: string | null
  readonly from: string | null
  readonly to: string | null
  readonly agents: readonly string[]
  readonly ids: EntryIds
  /** Codes of findings, errors first. */
  readonly codes: readonly string[]
  /** The person who stated or erased it, and whether a key proves that; for other records, their author. */
  readonly by: string | null
  readonly standing: 'proved' | 'claimed' | null
  /** Further details. */
  readonly note: string | null
}

/** Summarizes the entry at an index of a log. */
export function summaryOf(index: number, entry: ReadEntry): EntrySummary {
  if (entry.is === 'unreadable')
    return { ...NOTHING, index, state: 'unreadable', note: `${entry.fault}: ${LOOK}` }
  if (entry.is === 'differs')
    return { ...NOTHING, index, state: 'differs', digest: entry.digest ?? null, note: DIFFERS }
  if (entry.is === 'erased') {
    const { digest, ids, keys, by } = entry.tombstone
    return {
      ...NOTHING,
      index,
      state: 'erased',
      digest,
      kind: namedBy(keys.also, 'kind:')[0] ?? null,
      agents: namedBy(keys.also, 'agent:'),
      ids: idsOf(ids),
      by,
      note: erasedNote(index, entry, by),
    }
  }
  const { digest, kind = null, statement } = entry
  const says = statement.predicate
  return {
    index,
    state: 'kept',
    digest,
    kind: kind ?? statement.predicateType,
    at: textOf(says.at),
    from: textOf(says.from),
    to: textOf(says.to),
    agents: textsOf(says.agents),
    ids: idsOf(says.ids),
    codes: codesOf(says.found),
    ...(kind === 'record' ? recordedBy(partsOf(says.record)) : statedBy(says)),
    note: kind ? noteOf(kind, says) : null,
  }
}

type ErasedEntry = Extract<ReadEntry, { is: 'erased' }>

/** Describes who erased an entry, when and why, and what to do if its content is back. */
export function erasedNote(index: number, entry: ErasedEntry, who: string): string {
  const { at, reason } = entry.tombstone
  const again = thereAgain(index, entry)
  return `erased by ${who} at ${at}: ${reason}${again === null ? '' : `; ${again}`}`
}

/** Returns what to do about an erased entry whose content is back; null if it is not. */
export function thereAgain(index: number, { isThereAgain }: ErasedEntry): string | null {
  if (!isThereAgain) return null
  return `its content is back, as from an old copy, and is not shown: run waybill log erase ${index}`
}

const LOOK = 'run waybill log verify'
const DIFFERS = `the content is not what was recorded: ${LOOK}`

const NOTHING = {
  digest: null,
  kind: null,
  at: null,
  from: null,
  to: null,
  agents: [],
  ids: {},
  codes: [],
  by: null,
  standing: null,
} as const

type Says = Readonly<Record<string, unknown>>

type Stated = Pick<EntrySummary, 'by' | 'standing'>

function statedBy({ by, standing }: Says): Stated {
  const isStated = standing === 'proved' || standing === 'claimed'
  return isStated ? { by: textOf(by), standing } : { by: null, standing: null }
}

/** Imported records never prove a name, and most are not statements of a person. */
function recordedBy({ by, standing }: Says): Stated {
  const who = textOf(by)
  return { by: who, standing: who !== null && standing !== undefined ? 'claimed' : null }
}

function noteOf(kind: string, says: Says): string | null {
  switch (kind) {
    case 'handoff-needs-input':
      return textsOf(says.requirements).join('; ') || null
    case 'handoff-rejected':
      return says.stage === 'send' ? 'refused to send' : 'refused to receive'
    case 'security-event': {
      const kept = textsOf(says.quarantined)
      const reason = textOf(says.reason) ?? ''
      return kept.length === 0 ? reason : `${reason}; in quarantine: ${kept.join(', ')}`
    }
    case 'reconciliation':
      return `${textOf(says.agent)}: ${textOf(says.why)}`
    case 'erasure':
      return `entry ${says.index}: ${textOf(says.reason)}`
    case 'clock-jump':
      return `the clock jumped by ${says.by} ms`
    case 'key-change': {
      const { kind: what, name } = partsOf(says.holder)
      return `key of ${what} ${name} ${textOf(says.change)}`
    }
    case 'record':
      return recordNote(says)
    case 'writeback-outcome':
      return `${textOf(says.outcome)}: ${textOf(says.message)}`
    case 'approval':
    case 'writeback-decision':
      return [says.decision, says.why].filter(one => typeof one === 'string').join(': ')
    default:
      return null
  }
}

function recordNote({ type, record }: Says): string {
  const what = (textOf(type) ?? '').replace(/^urn:waybill:record:/, '')
  const why = textOf(partsOf(record).note)
  return why === null ? what : `${what}: ${why}`
}

/** Returns the codes of findings, errors first. */
function codesOf(found: unknown): readonly string[] {
  const all = Array.isArray(found) ? found.map(partsOf) : []
  const of = (wanted: boolean) =>
    all.flatMap(({ code, severity }) =>
      typeof code === 'string' && (severity === 'error') === wanted ? [code] : [],
    )
  return [...of(true), ...of(false)]
}

const IDS = [
  ...(['handoff', 'session', 'mission', 'task'] as const),
  ...(['record', 'decision', 'document', 'entry', 'previous'] as const),
] satisfies (keyof EntryIds)[]

function idsOf(ids: unknown): EntryIds {
  const given = partsOf(ids)
  const artifacts = textsOf(given.artifacts)
  const named = IDS.flatMap(what => {
    const id = given[what]
    return typeof id === 'string' ? [[what, id]] : []
  })
  return { ...Object.fromEntries(named), ...(artifacts.length > 0 && { artifacts }) }
}

function namedBy(keys: readonly string[], prefix: string): string[] {
  return keys.flatMap(key => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
}

/** Returns the members of an object; an empty object for any other value. */
export function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Returns a string; null for any other value. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}
