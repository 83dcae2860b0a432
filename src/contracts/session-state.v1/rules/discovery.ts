import { counted, type Finding, listed, quote, type Rules } from '../../../contract/index.ts'
import type { Path } from '../../../document/index.ts'
import { whyNotRelative } from '../../paths.ts'
import { isEmpty } from '../empty.ts'
import { isFull } from '../output-mode.ts'
import { hasReached } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { givesReason, namesPath, someText, writtenPath } from '../working-set.ts'

const FEWEST = 5
const MOST = 10
const DIGEST_KEYS = [
  'Modules',
  'Boundaries',
  'EntryPoints',
  'DataStores',
  'IntegrationPoints',
  'BuildAndTooling',
  'Testing',
  'ConventionsDigest',
  'ArchitecturalInvariants',
  'Hotspots',
]

/** The rules about the results of discovery and their evidence. */
export const discoveryRules = {
  'discovery-is-recorded': {
    severity: 'warning',
    summary:
      'After phase 2, a FULL state has digest, decision drivers, working set and touched surface.',
    why: 'Plans and reviews build on these four; without them, each repeats the discovery.',
    reads: ['/Phase', '/Mode', '/Next'],
    *check(state) {
      if (!isFull(state) || !hasReached(state, '2.1') || lacksRepository(state)) return
      const missing = [
        ...(state.RepoMapDigest === undefined && state.RepoModel === undefined
          ? ['RepoMapDigest']
          : []),
        ...(['DecisionDrivers', 'WorkingSet', 'TouchedSurface'] as const).filter(
          key => state[key] === undefined,
        ),
      ]
      if (missing.length === 0) return
      yield {
        path: [missing[0] ?? ''],
        message: `discovery is over, but the full state lacks ${listed(missing)}`,
        hint: 'add what discovery found, or block the session if the repository cannot be read',
      }
    },
  },
  'decision-pack-produced': {
    severity: 'warning',
    summary: 'After phase 2, a FULL state has the decision pack.',
    why: 'Otherwise people have to find the decisions in the findings.',
    reads: ['/Phase', '/Mode', '/Next'],
    *check(state) {
      if (!isFull(state) || !hasReached(state, '1.2') || lacksRepository(state)) return
      if (state.DecisionPack !== undefined) return
      yield {
        path: ['DecisionPack'],
        message: 'discovery is over, but the full state has no DecisionPack',
        hint: 'add it, with an empty list if there is nothing to decide',
      }
    },
  },
  'claims-name-evidence': {
    severity: 'warning',
    summary:
      'Every decision driver, convention, approved decision and entry of the decision pack names its evidence.',
    why: 'Without its source, a finding looks like an assumption.',
    reads: [
      '/DecisionDrivers',
      '/RepoMapDigest/ConventionsDigest',
      '/ArchitectureDecisions',
      '/DecisionPack',
    ],
    *check({ DecisionDrivers = [], RepoMapDigest, ArchitectureDecisions = [], DecisionPack = [] }) {
      yield* withoutEvidence(DecisionDrivers, ['DecisionDrivers'])
      const conventions = RepoMapDigest?.ConventionsDigest ?? []
      yield* withoutEvidence(conventions, ['RepoMapDigest', 'ConventionsDigest'])
      for (const [i, { Status, EvidenceRefs, ID }] of ArchitectureDecisions.entries()) {
        if (Status !== 'approved') continue
        yield* emptyEvidence(EvidenceRefs, ['ArchitectureDecisions', i, 'EvidenceRefs'], ID)
      }
      for (const [i, { evidence, id }] of DecisionPack.entries()) {
        yield* emptyEvidence(evidence, ['DecisionPack', i, 'evidence'], id)
      }
    },
  },
  'working-set-is-relative': {
    severity: 'warning',
    summary: 'A path at the start of a working set entry is relative to the repository.',
    why: 'The next session may run on another machine, where an absolute path does not exist.',
    reads: ['/WorkingSet'],
    *check({ WorkingSet = [] }) {
      for (const [i, entry] of WorkingSet.entries()) {
        // A key `path` is only a path, and has its own rule.
        if (typeof entry === 'object' && entry !== null && 'path' in entry) continue
        const path = writtenPath(entry)
        const fault = path === undefined ? undefined : whyNotRelative(path)
        if (fault === undefined) continue
        yield {
          path: ['WorkingSet', i],
          message: `the path ${quote(path)} ${fault}`,
          hint: 'write the path relative to the root of the repository, and then the reason',
        }
      }
    },
  },
  'working-set-gives-reasons': {
    severity: 'warning',
    summary: 'Every entry of the working set has a path and a reason.',
    why: 'Without the reason, it is unclear when the path may leave the set.',
    reads: ['/WorkingSet'],
    *check({ WorkingSet = [] }) {
      for (const [i, entry] of WorkingSet.entries()) {
        const path = writtenPath(entry)
        if (givesReason(entry)) continue
        yield {
          path: ['WorkingSet', i],
          message: path
            ? `the reason for ${quote(path)} in the working set is missing`
            : `entry ${i + 1} of the working set has no path`,
          hint: 'write path and rationale, or the path, a colon and the reason in one text',
        }
      }
    },
  },
  'conventions-are-few': {
    severity: 'warning',
    summary: 'The conventions digest has 5 to 10 entries.',
    why: 'Fewer are too few to write code that fits in; more are not remembered.',
    reads: ['/RepoMapDigest/ConventionsDigest'],
    *check({ RepoMapDigest }) {
      const conventions = RepoMapDigest?.ConventionsDigest
      if (!conventions || (conventions.length >= FEWEST && conventions.length <= MOST)) return
      yield {
        path: ['RepoMapDigest', 'ConventionsDigest'],
        message: `the digest has ${counted(conventions.length, 'convention')}, not ${FEWEST} to ${MOST}`,
        hint: 'keep those that a review would check',
      }
    },
  },
  'digest-has-content': {
    severity: 'warning',
    summary: 'The repository digest has at least one of its known parts.',
    why: 'An empty digest claims that discovery is done but shows no result.',
    reads: ['/RepoMapDigest'],
    *check({ RepoMapDigest }) {
      if (!RepoMapDigest || DIGEST_KEYS.some(key => Object.hasOwn(RepoMapDigest, key))) return
      yield {
        path: ['RepoMapDigest'],
        atKey: true,
        message: 'the digest has none of its known parts',
        hint: `add what is known: ${listed(DIGEST_KEYS, 'or')}`,
      }
    },
  },
  'ticket-digest-is-one-line': {
    severity: 'info',
    summary: 'The ticket digest is one line.',
    why: 'Every short state repeats it; longer text belongs in the ticket.',
    reads: ['/TicketRecordDigest'],
    *check({ TicketRecordDigest = '' }) {
      const lines = TicketRecordDigest.trim().split('\n').length
      if (lines === 1) return
      yield {
        path: ['TicketRecordDigest'],
        message: `the ticket digest has ${lines} lines`,
        hint: 'state in one line what the ticket requests',
      }
    },
  },
  'one-repo-model': {
    severity: 'info',
    summary: 'The state has `RepoMapDigest` or the older `RepoModel`, not both.',
    why: 'With both, only the first counts, and the second becomes outdated.',
    reads: ['/Phase'],
    *check({ RepoMapDigest, RepoModel }) {
      if (RepoMapDigest === undefined || RepoModel === undefined) return
      yield {
        path: ['RepoModel'],
        atKey: true,
        message: 'RepoModel is ignored because RepoMapDigest exists',
        hint: 'remove RepoModel',
      }
    },
  },
} satisfies Rules<SessionState>

/** Whether a blocked session states that it has no access to the repository, so that it need not describe one. */
function lacksRepository({ Mode, Next = '' }: SessionState): boolean {
  return Mode === 'BLOCKED' && /repo/i.test(Next)
}

function* withoutEvidence(claims: readonly unknown[], list: Path): Generator<Finding> {
  for (const [i, claim] of claims.entries()) {
    if (hasEvidence(claim)) continue
    yield {
      path: [...list, i],
      message: `${typeof claim === 'string' ? quote(claim) : 'the entry'} has no evidence`,
      hint: 'add its path or symbol: (evidence: src/orders/errors.ts)',
    }
  }
}

/** Reports empty evidence; missing evidence belongs to the rule about recommended keys. */
function* emptyEvidence(evidence: unknown, path: Path, name: string | undefined) {
  if (evidence === undefined || saysSomething(evidence)) return
  yield {
    path,
    message: `the evidence of ${name ? quote(name) : 'the decision'} is empty`,
    hint: 'list the paths or artifacts that support it',
  }
}

/** A number, such as a ticket's, counts as content; a text counts unless it is blank. */
function saysSomething(value: unknown): boolean {
  if (isEmpty(value)) return false
  return !someText(value, () => true) || someText(value, text => text.trim() !== '')
}

function hasEvidence(claim: unknown): boolean {
  if (typeof claim === 'string') return namesPath(claim) || namesSymbol(claim)
  return someText(claim, text => namesPath(text) || namesSymbol(text)) || hasEvidenceKey(claim)
}

const namesSymbol = (text: string) => /evidence:\s*[^\s)]|`|::|\(\)|[A-Za-z]#[A-Za-z]/i.test(text)

function hasEvidenceKey(claim: unknown): boolean {
  if (typeof claim !== 'object' || claim === null) return false
  return Object.entries(claim).some(
    ([key, value]) => /^evidence/i.test(key) && saysSomething(value),
  )
}
