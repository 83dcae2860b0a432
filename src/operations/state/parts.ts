import { quote } from '../../contract/index.ts'
import { findContract, type StateChange } from '../../contracts/index.ts'
import type { Json } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { readContent } from '../new/content.ts'
import type { App } from '../operation.ts'

/** The input for parts of the state that a session writes with an act. */
export const PARTS = {
  type: 'string',
  path: true,
  placeholder: 'file',
  description:
    'Parts of the state to set, such as ArchitectureDecisions, as JSON or YAML; - reads standard input.',
} as const

/** What acts alone change, and the act. */
const BY_ACTS: Readonly<Record<string, string>> = {
  Phase: 'waybill state advance --to <phase>',
  Mode: 'waybill state advance --mode <mode>',
  Next: 'waybill state advance --next <pointer>',
  Gates: 'waybill state gate <gate> <verdict>',
  GateArtifacts: 'waybill state gate <gate> pending --artifact <name>=present',
}

/** Reads the parts of a state that the caller gives; what an act decides is not among them. */
export async function partsFrom(from: string | undefined, app: App): Promise<StateChange[]> {
  const contract = findContract('session-state')
  if (from === undefined || !contract) return []
  const content = await readContent(from, contract, app)
  if (content.kind !== 'fields') {
    const [fault] = content.kind === 'faulty' ? content.diagnostics : []
    throw new WaybillError('usage', `the parts cannot be read: ${fault?.message ?? 'no object'}`, {
      hint: 'pass them by name, such as {"BuildEvidence": {"status": "not-provided"}}',
    })
  }
  const parts = Object.entries(content.value).filter(([key]) => key !== '$schema')
  for (const [key] of parts) {
    const act = Object.hasOwn(BY_ACTS, key) ? BY_ACTS[key] : undefined
    if (act === undefined) continue
    throw new WaybillError('usage', `${quote(key)} is not set as a part of the state`, {
      hint: `use ${act}`,
    })
  }
  return parts.map(([key, value]) => ({ path: [key], value: value as Json }))
}
