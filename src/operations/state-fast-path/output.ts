import type { TypeOf } from '../operation.ts'
import { MATCH, StatePath, Yaml } from '../state/ground-output.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const
const texts = (description: string, item: string) =>
  ({ type: 'array', items: text(item), description }) as const

const Preconditions = {
  type: 'object',
  required: [
    'RepoMapDigestLoaded',
    'PersistedGitHead',
    'CurrentGitHead',
    'GitHeadMatch',
    'PersistedRepoSignature',
    'CurrentRepoSignature',
    'RepoSignatureMatch',
    'TicketRiskClass',
  ],
  properties: {
    RepoMapDigestLoaded: flag('Whether there is a digest to go on from.'),
    PersistedGitHead: text('The commit that the cache describes, or unknown.'),
    CurrentGitHead: text('The current commit, or unknown.'),
    GitHeadMatch: MATCH('Whether the two commits are the same.'),
    PersistedRepoSignature: text('The signature that the cache describes, or unknown.'),
    CurrentRepoSignature: text('The current signature, or unknown.'),
    RepoSignatureMatch: MATCH('Whether the two signatures are the same.'),
    TicketRiskClass: {
      enum: ['low', 'medium', 'high', 'unknown'],
      description: 'How much can go wrong with the ticket.',
    },
  },
  additionalProperties: false,
  description: 'What the decision was based on.',
} as const

const ReducedScope = {
  type: 'object',
  required: ['PathsScanned', 'Skipped'],
  properties: {
    PathsScanned: texts('What was still looked at.', 'A path.'),
    Skipped: texts('What was left out on purpose.', 'What was left out.'),
  },
  additionalProperties: false,
  description:
    'What discovery was reduced to, as the state tells it; only where the fast path was taken.',
} as const

const Evaluation = {
  type: 'object',
  required: [
    'Evaluated',
    'Eligible',
    'Applied',
    'Reason',
    'Preconditions',
    'DenyReasons',
    'EvidenceRefs',
  ],
  properties: {
    Evaluated: flag('Whether the fast path was considered: always true here.'),
    Eligible: flag('Whether the fast path is safe.'),
    Applied: flag('Whether the session says that it took it, where it is safe.'),
    Reason: text('Why, in short.'),
    Preconditions,
    DenyReasons: texts('Why the fast path is not safe.', 'One reason.'),
    ReducedDiscoveryScope: ReducedScope,
    EvidenceRefs: texts('Paths and commands that the decision rests on.', 'A path or command.'),
  },
  additionalProperties: false,
  description: 'What the state should say of the fast path.',
} as const

const Item = {
  type: 'object',
  required: ['about', 'points', 'counts', 'evidence'],
  properties: {
    about: text('What the line is about.'),
    points: { type: 'integer', description: 'What it adds or takes.' },
    counts: flag('Whether it counts here.'),
    evidence: text('What shows it; empty where there is nothing to show.'),
  },
  additionalProperties: false,
  description: 'One line of the score.',
} as const

const Risk = {
  type: 'object',
  required: ['risk', 'about', 'at'],
  properties: {
    risk: { enum: ['low', 'medium', 'high'], description: 'How much can go wrong by it.' },
    about: text('What it is.'),
    at: text('The key of the state that says so, or --risk.'),
  },
  additionalProperties: false,
  description: 'One thing that bears on the risk.',
} as const

const schema = {
  type: 'object',
  required: ['state', 'score', 'needed', 'items', 'risks', 'FastPathEvaluation', 'yaml'],
  properties: {
    state: StatePath,
    score: { type: 'integer', description: 'The score, from 0 to 100.' },
    needed: { type: 'integer', description: 'The score that the fast path needs.' },
    items: { type: 'array', items: Item, description: 'The score, line by line.' },
    risks: { type: 'array', items: Risk, description: 'What the risk of the ticket follows from.' },
    FastPathEvaluation: Evaluation,
    yaml: Yaml,
  },
  additionalProperties: false,
  title: 'Output of waybill state fast-path',
  description:
    'Whether discovery may be shortened, and how that came about. Gates are not touched by it.',
} as const

/** What `state fast-path` answers. */
export type StateFastPathOutput = TypeOf<typeof schema>
export default schema
