import { counted, type Finding, listed, quote, type Rules } from '../../../contract/index.ts'
import type { Path } from '../../../document/index.ts'
import { isFull } from '../output-mode.ts'
import { hasReached } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { namesPath, someText } from '../working-set.ts'

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

/** That what discovery found is there, with its evidence. */
export const discoveryRules = {
  'discovery-is-recorded': {
    severity: 'warning',
    summary:
      'After phase 2 a state in full holds digest, decision drivers, working set and touched surface.',
    why: 'Plans and reviews rest on these four; without them, each starts the discovery anew.',
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
        message: `discovery is over, and the full state lacks ${listed(missing)}`,
        hint: 'add what discovery found, or block the session when the repository cannot be read',
      }
    },
  },
  'decision-pack-produced': {
    severity: 'warning',
    summary: 'After phase 2 a state in full holds the decision pack.',
    why: 'It spares people from finding the decisions in the findings.',
    reads: ['/Phase', '/Mode', '/Next'],
    *check(state) {
      if (!isFull(state) || !hasReached(state, '1.2') || lacksRepository(state)) return
      if (state.DecisionPack !== undefined) return
      yield {
        path: ['DecisionPack'],
        message: 'discovery is over, and the full state holds no DecisionPack',
        hint: 'add it, an empty list where there is nothing to decide',
      }
    },
  },
  'claims-name-evidence': {
    severity: 'warning',
    summary: 'Every decision driver and every convention names its evidence.',
    why: 'Without the place it was seen at, nobody can tell a finding from an assumption.',
    reads: ['/DecisionDrivers', '/RepoMapDigest/ConventionsDigest'],
    *check({ DecisionDrivers = [], RepoMapDigest }) {
      yield* withoutEvidence(DecisionDrivers, ['DecisionDrivers'])
      const conventions = RepoMapDigest?.ConventionsDigest ?? []
      yield* withoutEvidence(conventions, ['RepoMapDigest', 'ConventionsDigest'])
    },
  },
  'conventions-are-few': {
    severity: 'warning',
    summary: 'The digest of conventions has 5 to 10 entries.',
    why: 'Fewer tell too little to write code that fits in; more are not kept in mind.',
    reads: ['/RepoMapDigest/ConventionsDigest'],
    *check({ RepoMapDigest }) {
      const conventions = RepoMapDigest?.ConventionsDigest
      if (!conventions || (conventions.length >= FEWEST && conventions.length <= MOST)) return
      yield {
        path: ['RepoMapDigest', 'ConventionsDigest'],
        message: `the digest has ${counted(conventions.length, 'convention')}, not ${FEWEST} to ${MOST}`,
        hint: 'keep those that a review would ask about',
      }
    },
  },
  'digest-has-content': {
    severity: 'warning',
    summary: 'The digest of the repository holds at least one of its known parts.',
    why: 'An empty digest says that discovery is done and shows nothing of it.',
    reads: ['/RepoMapDigest'],
    *check({ RepoMapDigest }) {
      if (!RepoMapDigest || DIGEST_KEYS.some(key => Object.hasOwn(RepoMapDigest, key))) return
      yield {
        path: ['RepoMapDigest'],
        atKey: true,
        message: 'the digest holds none of its known parts',
        hint: `add what is known: ${listed(DIGEST_KEYS, 'or')}`,
      }
    },
  },
  'ticket-digest-is-one-line': {
    severity: 'info',
    summary: 'The digest of the ticket is one line.',
    why: 'It stands in every short state; what takes more lines belongs to the ticket itself.',
    reads: ['/TicketRecordDigest'],
    *check({ TicketRecordDigest = '' }) {
      const lines = TicketRecordDigest.trim().split('\n').length
      if (lines === 1) return
      yield {
        path: ['TicketRecordDigest'],
        message: `the digest of the ticket has ${lines} lines`,
        hint: 'say in one line what the ticket asks for',
      }
    },
  },
  'one-repo-model': {
    severity: 'info',
    summary: 'The state holds `RepoMapDigest` or the older `RepoModel`, not both.',
    why: 'Where both are there the first counts, and the second only ages.',
    reads: ['/Phase'],
    *check({ RepoMapDigest, RepoModel }) {
      if (RepoMapDigest === undefined || RepoModel === undefined) return
      yield {
        path: ['RepoModel'],
        atKey: true,
        message: 'RepoMapDigest counts, and RepoModel is passed over',
        hint: 'remove RepoModel',
      }
    },
  },
} satisfies Rules<SessionState>

/** Whether a blocked session says that it has no access to the repository, which excuses it from describing one. */
function lacksRepository({ Mode, Next = '' }: SessionState): boolean {
  return Mode === 'BLOCKED' && /repo/i.test(Next)
}

function* withoutEvidence(claims: readonly unknown[], list: Path): Generator<Finding> {
  for (const [i, claim] of claims.entries()) {
    if (hasEvidence(claim)) continue
    yield {
      path: [...list, i],
      message: `${typeof claim === 'string' ? quote(claim) : 'the entry'} names no evidence`,
      hint: 'add the path or symbol it was seen at: (evidence: src/orders/errors.ts)',
    }
  }
}

function hasEvidence(claim: unknown): boolean {
  if (typeof claim === 'string') return namesPath(claim) || namesSymbol(claim)
  return someText(claim, text => namesPath(text) || namesSymbol(text)) || hasEvidenceKey(claim)
}

const namesSymbol = (text: string) => /evidence:\s*[^\s)]|`|::|\(\)|[A-Za-z]#[A-Za-z]/i.test(text)

function hasEvidenceKey(claim: unknown): boolean {
  if (typeof claim !== 'object' || claim === null) return false
  return Object.entries(claim).some(
    ([key, value]) => /^evidence/i.test(key) && someText(value, text => text.trim() !== ''),
  )
}
