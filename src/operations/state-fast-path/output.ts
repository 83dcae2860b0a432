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
    RepoMapDigestLoaded: flag('Whether there is a repository map digest.'),
    PersistedGitHead: text('The commit in the cache, or unknown.'),
    CurrentGitHead: text('The current commit, or unknown.'),
    GitHeadMatch: MATCH('Whether the commits match.'),
    PersistedRepoSignature: text('The signature in the cache, or unknown.'),
    CurrentRepoSignature: text('The current signature, or unknown.'),
    RepoSignatureMatch: MATCH('Whether the signatures match.'),
    TicketRiskClass: {
      enum: ['low', 'medium', 'high', 'unknown'],
      description: 'The risk of the ticket.',
    },
  },
  additionalProperties: false,
  description: 'The preconditions of the decision.',
} as const

const ReducedScope = {
  type: 'object',
  required: ['PathsScanned', 'Skipped'],
  properties: {
    PathsScanned: texts('The paths that were scanned.', 'A path.'),
    Skipped: texts('What was skipped on purpose.', 'What was skipped.'),
  },
  additionalProperties: false,
  description: 'The reduced discovery, according to the state; only when the fast path was taken.',
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
    Evaluated: flag('Whether the fast path was evaluated: always true.'),
    Eligible: flag('Whether the fast path is safe.'),
    Applied: flag('Whether the session took it while it was safe.'),
    Reason: text('A short reason.'),
    Preconditions,
    DenyReasons: texts('Why it is not safe.', 'One reason.'),
    ReducedDiscoveryScope: ReducedScope,
    EvidenceRefs: texts('The paths and commands used as evidence.', 'A path or command.'),
  },
  additionalProperties: false,
  description: 'The FastPathEvaluation part of the state.',
} as const

const Item = {
  type: 'object',
  required: ['about', 'points', 'counts', 'evidence'],
  properties: {
    about: text('The criterion.'),
    points: { type: 'integer', description: 'The points it adds or subtracts.' },
    counts: flag('Whether it applies.'),
    evidence: text('The evidence; empty when there is none.'),
  },
  additionalProperties: false,
  description: 'One line of the score.',
} as const

const Risk = {
  type: 'object',
  required: ['risk', 'about', 'at'],
  properties: {
    risk: { enum: ['low', 'medium', 'high'], description: 'The risk it implies.' },
    about: text('The factor.'),
    at: text('The key of the state, or --risk.'),
  },
  additionalProperties: false,
  description: 'One risk factor.',
} as const

const schema = {
  type: 'object',
  required: ['state', 'score', 'needed', 'items', 'risks', 'FastPathEvaluation', 'yaml'],
  properties: {
    state: StatePath,
    score: { type: 'integer', description: 'The score, from 0 to 100.' },
    needed: { type: 'integer', description: 'The score that the fast path needs.' },
    items: { type: 'array', items: Item, description: 'The score, line by line.' },
    risks: { type: 'array', items: Risk, description: 'The risk factors of the ticket.' },
    FastPathEvaluation: Evaluation,
    yaml: Yaml,
  },
  additionalProperties: false,
  title: 'Output of waybill state fast-path',
  description: 'Whether discovery may be shortened, and why. Gates are unaffected.',
} as const

/** The output of `state fast-path`. */
export type StateFastPathOutput = TypeOf<typeof schema>
export default schema
