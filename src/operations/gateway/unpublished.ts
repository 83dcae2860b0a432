import { WaybillError } from '../../error.ts'
import type { EntryKind } from '../../governance/index.ts'

/** What an operation has recorded last. */
export interface LastRecorded {
  readonly kind: EntryKind
  readonly index: number
}

/** Of what stands under no checkpoint the guards of the log know nothing: were an older copy put back, it could be had twice. */
export function unpublished(error: unknown, last: LastRecorded | undefined): unknown {
  if (!(error instanceof WaybillError) || error.code !== 'input-output') return error
  return new WaybillError(
    error.code,
    `no checkpoint could be published, so nothing is answered: ${error.message}`,
    { hint: `what was recorded is kept${last ? remedyFor(last) : ': mend this'}`, cause: error },
  )
}

/** Only what is judged can be asked for twice; what somebody has stated or done is so, and would be refused or done again. */
function remedyFor({ kind, index }: LastRecorded): string {
  switch (kind) {
    case 'handoff-accepted':
    case 'handoff-needs-input':
    case 'handoff-rejected':
      return `: mend this, and ask again; what is then refused as a repetition has its answer in the log, at the entry that the refusal names (${index})`
    case 'handoff-sent':
      return `, and entry ${index} says that the handoff was sent, though its files were not written: mend this, and send it without its handoff_id, which is used up`
    default:
      return ` as entry ${index}, and holds: mend this, and do not do it again; the next entry that is recorded publishes this one too, and then waybill log show ${index} shows it`
  }
}
