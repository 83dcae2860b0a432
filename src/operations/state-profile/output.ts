import type { TypeOf } from '../operation.ts'
import { Listing, paths, StatePath, Yaml } from '../state/ground-output.ts'

const Signal = {
  type: 'object',
  required: ['path', 'system', 'frameworks'],
  properties: {
    path: { type: 'string', description: 'The file, from the root.' },
    system: { type: 'string', description: 'Its build system, such as maven or npm.' },
    frameworks: {
      type: 'array',
      items: { type: 'string', description: 'A framework.' },
      description: 'Frameworks named in its text.',
    },
  },
  additionalProperties: false,
  description: 'A file that indicates a profile.',
} as const

const Candidate = {
  type: 'object',
  required: ['profile', 'signals', 'more', 'rulebooks'],
  properties: {
    profile: { type: 'string', description: 'The profile.' },
    signals: {
      type: 'array',
      items: Signal,
      description: 'The files that indicate it, nearest to the root first; 20 at most.',
    },
    more: { type: 'integer', description: 'How many more files indicate it.' },
    rulebooks: paths('Files with its rules; 20 at most.'),
  },
  additionalProperties: false,
  description: 'A candidate profile.',
} as const

const Conflict = {
  type: 'object',
  required: ['about', 'paths', 'resolvedBy'],
  properties: {
    about: { type: 'string', description: 'The contradiction.' },
    paths: paths('The files that show it; 20 at most.'),
    resolvedBy: {
      type: ['string', 'null'],
      description: 'What resolved it; null when unresolved.',
    },
  },
  additionalProperties: false,
  description: 'Contradictory signals.',
} as const

const PathAndWhy = (description: string) =>
  ({
    type: 'array',
    items: {
      type: 'object',
      required: ['path', 'why'],
      properties: {
        path: { type: 'string', description: 'The path.' },
        why: { type: 'string', description: 'The reason.' },
      },
      additionalProperties: false,
      description: 'A path and a reason.',
    },
    description,
  }) as const

const Agreement = {
  type: 'object',
  required: ['stated', 'source', 'agrees', 'about'],
  properties: {
    stated: {
      type: 'string',
      description: 'The active profile of the state; empty when none.',
    },
    source: { type: ['string', 'null'], description: 'The ProfileSource of the state.' },
    agrees: {
      type: 'boolean',
      description: 'Whether the state and the repository are consistent.',
    },
    about: { type: 'string', description: 'The consequence for the session.' },
  },
  additionalProperties: false,
  description: 'How the profile of the state compares with the detected one.',
} as const

const schema = {
  type: 'object',
  required: [
    'state',
    'listing',
    'scope',
    'ignored',
    'profile',
    'source',
    'evidence',
    'rulebook',
    'candidates',
    'conflicts',
    'conflictPoints',
    'unread',
    'mode',
    'decides',
    'agreement',
    'yaml',
  ],
  properties: {
    state: StatePath,
    listing: Listing,
    scope: paths('The component scope; empty when there is none.'),
    ignored: PathAndWhy('Invalid paths of the scope.'),
    profile: { type: 'string', description: 'ActiveProfile; empty when unknown.' },
    source: {
      enum: [
        'user-explicit',
        'auto-detected-single',
        'repo-fallback',
        'deferred',
        'component-scope-inferred',
        'component-scope-filtered',
        'ambiguous',
      ],
      description: 'ProfileSource.',
    },
    evidence: { type: 'string', description: 'ProfileEvidence: the files that indicate it.' },
    rulebook: {
      type: ['string', 'null'],
      description: 'The rulebook of the profile nearest to the root.',
    },
    candidates: {
      type: 'array',
      items: Candidate,
      description: 'The candidate profiles; 20 at most.',
    },
    conflicts: {
      type: 'array',
      items: Conflict,
      description: 'Contradictory signals; 20 at most.',
    },
    conflictPoints: {
      type: 'integer',
      description: 'The confidence points lost to unresolved conflicts: -15 or 0.',
    },
    unread: PathAndWhy('Manifests that were not read and count by name only; 20 at most.'),
    mode: {
      enum: ['BLOCKED', null],
      description: 'The mode that the session must have; null when any is allowed.',
    },
    decides: { type: ['string', 'null'], description: 'The input that would decide.' },
    agreement: {
      anyOf: [Agreement, { type: 'null', description: 'There is no state.' }],
      description: 'How the profile of the state compares with the detected one.',
    },
    yaml: Yaml,
  },
  additionalProperties: false,
  title: 'Output of waybill state profile',
  description: 'The profile of a repository and its evidence.',
} as const

/** The output of `state profile`. */
export type StateProfileOutput = TypeOf<typeof schema>
export default schema
