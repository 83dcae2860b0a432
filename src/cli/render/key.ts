import { spelled } from '../../contract/index.ts'
import type { ChangedKey, KeyChangesOutput } from '../../operations/key/output.ts'
import type { Style } from '../parse.ts'

const DIGITS = 16

/** The start of a key id; commands accept it in place of the whole id. */
export function shortId(keyid: string): string {
  return keyid.slice(0, DIGITS)
}

/** The change of each key, and what to do next. */
export function changesText({ changes }: KeyChangesOutput, style: Style, quiet: boolean): string {
  if (quiet) return ''
  const lines = changes.flatMap(change => describe(change, style))
  const revoked = changes.filter(({ change }) => change === 'revoked')
  const next = 'commit waybill.yaml so that the change applies elsewhere'
  const isAgents = changes.some(one => one.change === 'rotated' && one.holder.kind === 'agent')
  const renewed = [...new Set(revoked.map(({ holder }) => RENEWED[holder.kind]))]
  const more = [...(isAgents ? [IN_FLIGHT] : []), ...renewed]
  return [...lines, style('dim', [next, ...more].join('; '))].join('\n')
}

const IN_FLIGHT = 'handoffs in flight that the old key signed are refused: send them again'

/** Where the next key comes from after a revocation. */
const RENEWED = {
  agent: 'create a new key for the agent with waybill key rotate',
  gateway: 'nothing can be recorded until waybill init creates a new gateway key',
  log: 'nothing can be recorded until waybill init creates a new log key',
  person: 'people create their own keys; list them by hand in waybill.yaml',
} as const

function describe(
  { change, holder, keyid, at, replaced, why }: ChangedKey,
  style: Style,
): string[] {
  const who = `${holder.kind} ${holder.name}`
  const line =
    change === 'rotated'
      ? `${who} has a new key ${shortId(keyid)}`
      : `key ${shortId(keyid)} of ${who} is ${change}`
  return [
    `${style('green', '✓')} ${line} ${style('dim', `from ${at} on`)}`,
    ...replaced.map(old => `  ${shortId(old)} no longer signs; its signatures stay verifiable`),
    ...(why === null ? [] : [`  ${spelled(why)}`]),
  ]
}
