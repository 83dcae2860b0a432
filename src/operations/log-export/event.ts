import { KINDS, predicateTypeOf, type ReadEntry, summaryOf } from '../../governance/index.ts'
import type { CloudEvent } from './output.ts'

const UNREADABLE = 'urn:waybill:event:unreadable'
const DIFFERS = 'urn:waybill:event:differs'
const UNKNOWN = 'urn:waybill:event:unknown'

/** Converts an entry to a CloudEvent; erased, changed and unreadable entries too. */
export function eventOf(origin: string, index: number, entry: ReadEntry): CloudEvent {
  const { ids, agents, kind, at, note } = summaryOf(index, entry)
  const subject = ids.handoff ?? ids.record ?? ids.entry ?? Object.values(ids)[0] ?? agents[0]
  const always = {
    specversion: '1.0',
    source: origin,
    ...(subject !== undefined && subject !== '' && { subject }),
    datacontenttype: 'application/json',
    logindex: index,
  } as const
  if (entry.is === 'unreadable') {
    const id = `${origin}#${index}`
    return { ...always, id, type: UNREADABLE, logstate: 'unreadable', data: { fault: entry.fault } }
  }
  if (entry.is === 'differs') {
    // Keep its recorded digest, and nothing of the changed content.
    const { digest: id = `${origin}#${index}` } = entry
    return { ...always, id, type: DIFFERS, logstate: 'differs', data: { fault: note } }
  }
  const { digest: id } = entry
  if (entry.is === 'erased') {
    const { by, at: erasedAt, reason } = entry.tombstone
    const known = KINDS.find(one => one === kind)
    const data = { ids, agents, erased: { by, at: erasedAt, reason } }
    const type = known ? predicateTypeOf(known) : UNKNOWN
    return { ...always, id, type, logstate: 'erased', data }
  }
  const { predicateType: type, predicate: data } = entry.statement
  return { ...always, id, type, ...(at !== null && { time: at }), data }
}
