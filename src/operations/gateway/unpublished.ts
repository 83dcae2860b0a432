import { WaybillError } from '../../error.ts'
import type { EntryKind } from '../../governance/index.ts'

/** The last entry that an operation recorded. */
export interface LastRecorded {
  readonly kind: EntryKind
  readonly index: number
}

/** Wraps an error on publishing: without a checkpoint, an older copy of the log could be put back unnoticed. */
export function unpublished(error: unknown, last: LastRecorded | undefined): unknown {
  if (!(error instanceof WaybillError) || error.code !== 'input-output') return error
  return new WaybillError(
    error.code,
    `cannot publish a checkpoint, so there is no answer: ${error.message}`,
    { hint: `recorded entries are kept${last ? remedyFor(last) : ': fix this'}`, cause: error },
  )
}

/** Tells how to continue: only handoffs may be submitted again; other entries would be refused or duplicated. */
function remedyFor({ kind, index }: LastRecorded): string {
  switch (kind) {
    case 'handoff-accepted':
    case 'handoff-needs-input':
    case 'handoff-rejected':
      return `: fix this and retry; if the retry is refused as a repetition, the log has the answer, at the entry named in the refusal (${index})`
    case 'handoff-sent':
      return `: entry ${index} records the handoff as sent, but its files were not written: fix this and send it without its handoff_id, which is used up`
    default:
      return `, entry ${index} included: fix this and do not repeat the command; the next entry publishes this one too, then see waybill log show ${index}`
  }
}
