import { type HandoffPart, type HouseHeadings, partOf } from '../../contracts/index.ts'
import type { Item } from '../show/output.ts'

/** The roles of document parts, in reading order. */
export const ROLES = [
  'rules',
  'goal',
  'decisions',
  'next',
  'blockers',
  'state',
  'facts',
  'rest',
] as const

/** One of the roles. */
export type Role = (typeof ROLES)[number]

/** The roles of parts by contract and heading; all others are 'rest'. */
const BY_TITLE: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  'handoff-document': {
    'Current State Summary': 'state',
    'Decisions Made': 'decisions',
    'Important Context': 'facts',
    'Pending Work / Open Loops': 'blockers',
    'Immediate Next Steps': 'next',
  },
  'session-context': { Blockers: 'blockers', Recommendations: 'next', 'Open questions': 'next' },
  orchestration: {
    'What it is for': 'goal',
    Blockers: 'blockers',
    'Next action': 'next',
    'Next actions': 'next',
  },
  'session-state': {
    'To decide now': 'blockers',
    Gates: 'blockers',
    'Architecture decisions': 'decisions',
    'Decision pack': 'decisions',
  },
  'agent-handoff': {
    Request: 'goal',
    'Expected output': 'goal',
    Constraints: 'goal',
    'Decisions made': 'decisions',
  },
  'mission-envelope': { Goal: 'goal', 'In the words of the person who asked': 'goal' },
  'mission-task-graph': { Tasks: 'next' },
  'aggregation-packet': { Summary: 'decisions', Contradictions: 'blockers', Gaps: 'blockers' },
  'review-packet': { Issues: 'blockers', 'Required edits': 'next', 'Approved output': 'decisions' },
  'policy-decision': { Reason: 'decisions' },
  'writeback-proposal': { 'Proposed change': 'decisions' },
}

/** The roles of the parts of a handoff note; all others are 'rest'. */
const BY_PART: Readonly<Partial<Record<HandoffPart, Role>>> = {
  state: 'state',
  decisions: 'decisions',
  rules: 'rules',
  context: 'facts',
  open: 'blockers',
  next: 'next',
}

/** Returns the role of a part; a heading with nothing below it says what the document is about. */
export function roleOf(
  contract: string,
  title: string,
  empty: boolean,
  headings?: HouseHeadings,
): Role {
  if (empty) return roleOfFacts(contract)
  if (contract === 'handoff-note') return BY_PART[partOf(title, headings) ?? 'state'] ?? 'rest'
  const titles = Object.hasOwn(BY_TITLE, contract) ? BY_TITLE[contract] : undefined
  return titles && Object.hasOwn(titles, title) ? (titles[title] ?? 'rest') : 'rest'
}

/** The roles of the summary facts by contract; all others are 'rest'. */
const BY_FACTS: Readonly<Record<string, Role>> = {
  'handoff-document': 'state',
  'handoff-note': 'state',
  'session-context': 'goal',
  orchestration: 'goal',
  'session-state': 'goal',
  'agent-handoff': 'goal',
  'mission-envelope': 'goal',
  'review-packet': 'decisions',
  'policy-decision': 'decisions',
  'writeback-proposal': 'decisions',
}

/** Returns the role of a document's summary facts. */
export function roleOfFacts(contract: string): Role {
  return (Object.hasOwn(BY_FACTS, contract) ? BY_FACTS[contract] : undefined) ?? 'rest'
}

/** Returns the role of a finding: decisions and requirements count as decisions. */
export function roleOfFinding({ marks = [] }: Item): Role {
  return marks.some(mark => mark === 'decision' || mark === 'requirement') ? 'decisions' : 'rest'
}
