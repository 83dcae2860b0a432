import type { Item } from '../show/output.ts'

/** What a part of a document is to the next reader, the first to be read first. */
export const ROLES = ['goal', 'decisions', 'blockers', 'next', 'rest'] as const

/** One of the roles. */
export type Role = (typeof ROLES)[number]

/** The role of the parts of each contract's documents by their headings; all others are the rest. */
const BY_TITLE: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  'handoff-document': {
    'Decisions Made': 'decisions',
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

/** The role of a part; a heading with nothing below it says what a document is about. */
export function roleOf(contract: string, title: string, empty: boolean): Role {
  if (empty) return 'goal'
  const titles = Object.hasOwn(BY_TITLE, contract) ? BY_TITLE[contract] : undefined
  return titles && Object.hasOwn(titles, title) ? (titles[title] ?? 'rest') : 'rest'
}

/** What is known at a glance says what a document is about, or what was decided; of the others it is the rest. */
const BY_FACTS: Readonly<Record<string, Role>> = {
  'handoff-document': 'goal',
  'session-context': 'goal',
  orchestration: 'goal',
  'session-state': 'goal',
  'agent-handoff': 'goal',
  'mission-envelope': 'goal',
  'review-packet': 'decisions',
  'policy-decision': 'decisions',
  'writeback-proposal': 'decisions',
}

/** The role of what is known of a document at a glance. */
export function roleOfFacts(contract: string): Role {
  return (Object.hasOwn(BY_FACTS, contract) ? BY_FACTS[contract] : undefined) ?? 'rest'
}

/** Findings are of several roles: what was decided or is required weighs more than what was seen. */
export function roleOfFinding({ marks = [] }: Item): Role {
  return marks.some(mark => mark === 'decision' || mark === 'requirement') ? 'decisions' : 'rest'
}
