import { spelled } from '../../contract/index.ts'
import type { ChangedKey, KeyChangesOutput } from '../../operations/key/output.ts'
import type { Style } from '../parse.ts'

/** As many digits as people compare. */
const DIGITS = 16

/** A key id as people see it: its beginning, by which every command finds it. */
export function shortId(keyid: string): string {
  return keyid.slice(0, DIGITS)
}

/** What became of each key, and what to do next. */
export function changesText({ changes }: KeyChangesOutput, style: Style, quiet: boolean): string {
  if (quiet) return ''
  const lines = changes.flatMap(change => describe(change, style))
  const revoked = changes.filter(({ change }) => change === 'revoked')
  const next = 'commit waybill.yaml: elsewhere it is so from then on'
  const isAgents = changes.some(one => one.change === 'rotated' && one.holder.kind === 'agent')
  const renewed = [...new Set(revoked.map(({ holder }) => RENEWED[holder.kind]))]
  const more = [...(isAgents ? [ON_THE_WAY] : []), ...renewed]
  return [...lines, style('dim', [next, ...more].join('; '))].join('\n')
}

const ON_THE_WAY = 'a handoff under way that the old key signed is refused then: send it anew'

/** Who makes the next key where one was revoked. */
const RENEWED = {
  agent: 'waybill key rotate makes a new key for the agent',
  gateway: 'nothing can be recorded until waybill init makes a new key for the gateway',
  log: 'nothing can be recorded until waybill init makes a new key for the log',
  person: 'people make their own keys, and are listed by hand',
} as const

function describe(
  { change, holder, keyid, at, replaced, why }: ChangedKey,
  style: Style,
): string[] {
  const who = `${holder.kind} ${holder.name}`
  const line =
    change === 'rotated'
      ? `${who} has a new key ${shortId(keyid)}`
      : `${shortId(keyid)} of ${who} is ${change}`
  return [
    `${style('green', '✓')} ${line} ${style('dim', `from ${at} on`)}`,
    ...replaced.map(old => `  ${shortId(old)} signs no more, and what it signed stays verifiable`),
    ...(why === null ? [] : [`  ${spelled(why)}`]),
  ]
}
