import type { Agents } from '../../contracts/index.ts'
import { type Json, maskSecrets, parsePointer } from '../../document/index.ts'
import type { Quarantined } from '../../governance/index.ts'
import type { DocumentReport } from '../check/output.ts'
import { keptOut } from '../lock/report.ts'
import type { LockFault, LockVerifyOutput, VerifiedAgent } from './output.ts'

/** A document and its report. */
interface Verified {
  readonly path: string
  readonly value: Json
  readonly report: DocumentReport
}

/** The findings, by document. */
export interface Verification {
  readonly manifest: Verified
  /** False if its text cannot be parsed; then no rule has checked its entries. */
  readonly lock: Verified & { readonly isRead: boolean }
  /** Undefined if the structure of the manifest is invalid. */
  readonly agents: Agents | undefined
  readonly quarantined: Readonly<Record<string, Quarantined>>
  /** Returns the diagnostic of an agent in quarantine. */
  faultOf(id: string, why: Quarantined): LockFault
  /** Files that look like prompts of no agent. */
  readonly strays: readonly LockFault[]
}

type Kind = 'changed' | 'missing' | 'unlocked' | 'unlisted' | 'differing'

/** The kind of a diagnostic, by its code. */
const KINDS: Readonly<Record<string, Kind>> = {
  'prompt-manifest/prompt-files-exist': 'missing',
  'prompt-manifest/prompts-inside-repository': 'missing',
  'prompt-lock/every-agent-locked': 'unlocked',
  'prompt-lock/no-unlisted-prompts': 'unlisted',
  'prompt-lock/entries-match-manifest': 'differing',
}

function kindOf({ code, path }: LockFault): Kind | undefined {
  if (code === 'prompt-lock/hashes-match-files')
    return path.endsWith('/hash') ? 'changed' : 'missing'
  return KINDS[code]
}

/** Returns the output of `lock verify`: the diagnostics grouped by agent, and totals. */
export function verified(given: Verification): LockVerifyOutput {
  const { manifest, lock, agents, quarantined } = given
  const byAgent = new Map<string, LockFault[]>()
  const general = [...given.strays]
  for (const { value, report } of [manifest, lock]) {
    for (const diagnostic of report.diagnostics) {
      const fault = { document: report.path, ...diagnostic }
      const id = agentAt(diagnostic.path, value)
      const faults = id === undefined ? general : byAgent.get(id)
      if (faults) faults.push(fault)
      else if (id !== undefined) byAgent.set(id, [fault])
    }
  }
  const locked = lockedIn(lock)
  const known = new Set([...locked, ...(agents?.all ?? []).map(({ id }) => id)])
  const kept = Object.entries(quarantined).filter(([id]) => known.has(id))
  for (const [id, why] of kept) byAgent.set(id, keptFaults(given.faultOf(id, why), byAgent.get(id)))
  const ids = [...byAgent.keys()].sort()
  const reported = ids.map(id => toAgent(id, byAgent.get(id) ?? [], agents))
  return {
    accepted: manifest.report.accepted && lock.report.accepted && kept.length === 0,
    manifest: checked(manifest),
    lock: checked(lock),
    counts: {
      ...figures(reported, agents, locked),
      stray: given.strays.length,
      ...totals(locked, reported, general),
    },
    quarantined: keptOut(quarantined),
    agents: reported,
    general,
  }
}

/** Replaces the hint to lock again: that would not end a quarantine. */
function keptFaults(own: LockFault, others: readonly LockFault[] = []): LockFault[] {
  const { hint = '' } = own
  return [own, ...others.map(fault => (kindOf(fault) === 'changed' ? { ...fault, hint } : fault))]
}

function lockedIn({ value, isRead }: Verification['lock']): readonly string[] {
  const prompts = memberOf(value, 'prompts')
  return isRead && typeof prompts === 'object' && prompts !== null ? Object.keys(prompts) : []
}

/** Returns the canonical id of the agent that a path in manifest or lock belongs to. */
function agentAt(pointer: string, value: Json): string | undefined {
  const [section, key] = parsePointer(pointer)
  if (section === undefined || key === undefined) return undefined
  if (section === 'prompts') return String(key)
  if (!SECTIONS.has(String(section))) return undefined
  const agent = memberOf(memberOf(value, section), key)
  const id = memberOf(agent, 'canonical_id')
  return typeof id === 'string' && id !== '' ? maskSecrets(id) : String(key)
}

const SECTIONS = new Set(['domains', 'archetypes', 'orchestrators'])

function memberOf(value: unknown, key: string | number): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return has ? (value as Record<string | number, unknown>)[key] : undefined
}

function toAgent(
  id: string,
  diagnostics: readonly LockFault[],
  agents: Agents | undefined,
): VerifiedAgent {
  const agent = agents?.find(id)
  return {
    id,
    manifest: standingOf(id, agents),
    type: agent?.type ?? null,
    file: agent ? maskSecrets(agent.file) : null,
    sound: !diagnostics.some(({ severity }) => severity === 'error'),
    diagnostics,
  }
}

function standingOf(id: string, agents: Agents | undefined): VerifiedAgent['manifest'] {
  if (!agents) return 'unknown'
  if (agents.isAmbiguous(id)) return 'ambiguous'
  return agents.find(id) ? 'listed' : 'unlisted'
}

function checked({ report }: Verified): LockVerifyOutput['lock'] {
  const { path, accepted, notRun, suppressed } = report
  return { path, accepted, notRun, suppressed }
}

function figures(
  reported: readonly VerifiedAgent[],
  agents: Agents | undefined,
  locked: readonly string[],
) {
  const withKind = (kind: Kind) =>
    reported.filter(({ diagnostics }) => diagnostics.some(fault => kindOf(fault) === kind)).length
  const unsound = new Set(reported.filter(({ sound }) => !sound).map(({ id }) => id))
  const held = new Set(locked)
  // Without a valid manifest, the lock lists the agents.
  const all = agents?.all.map(({ id }) => id) ?? locked
  return {
    from: agents ? ('manifest' as const) : ('lock' as const),
    agents: all.length,
    // An agent without an entry was not verified.
    sound: all.filter(id => held.has(id) && !unsound.has(id)).length,
    changed: withKind('changed'),
    missing: withKind('missing'),
    unlocked: withKind('unlocked'),
    unlisted: withKind('unlisted'),
    differing: withKind('differing'),
  }
}

function totals(
  locked: readonly string[],
  reported: readonly VerifiedAgent[],
  general: readonly LockFault[],
) {
  const all = [...reported.flatMap(({ diagnostics }) => diagnostics), ...general]
  const count = (wanted: string) => all.filter(({ severity }) => severity === wanted).length
  return {
    locked: locked.length,
    errors: count('error'),
    warnings: count('warning'),
  }
}
