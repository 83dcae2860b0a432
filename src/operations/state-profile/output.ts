import type { TypeOf } from '../operation.ts'
import { Listing, paths, StatePath, Yaml } from '../state/ground-output.ts'

const Signal = {
  type: 'object',
  required: ['path', 'system', 'frameworks'],
  properties: {
    path: { type: 'string', description: 'The file, from the root.' },
    system: { type: 'string', description: 'What it builds with, such as maven or npm.' },
    frameworks: {
      type: 'array',
      items: { type: 'string', description: 'A framework.' },
      description: 'Frameworks that its text names.',
    },
  },
  additionalProperties: false,
  description: 'A file that speaks for the profile.',
} as const

const Candidate = {
  type: 'object',
  required: ['profile', 'signals', 'more', 'rulebooks'],
  properties: {
    profile: { type: 'string', description: 'The profile.' },
    signals: {
      type: 'array',
      items: Signal,
      description: 'What speaks for it, the nearest to the root first; 20 at most.',
    },
    more: { type: 'integer', description: 'How many more files speak for it.' },
    rulebooks: paths('Files with its rules; 20 at most.'),
  },
  additionalProperties: false,
  description: 'A profile to choose from.',
} as const

const Conflict = {
  type: 'object',
  required: ['about', 'paths', 'resolvedBy'],
  properties: {
    about: { type: 'string', description: 'What contradicts what.' },
    paths: paths('The files that show it; 20 at most.'),
    resolvedBy: {
      type: ['string', 'null'],
      description: 'What settled it; null while nothing did.',
    },
  },
  additionalProperties: false,
  description: 'Signals that contradict each other.',
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
      description: 'A path, and why.',
    },
    description,
  }) as const

const Agreement = {
  type: 'object',
  required: ['stated', 'source', 'agrees', 'about'],
  properties: {
    stated: {
      type: 'string',
      description: 'The active profile of the state, empty while none is.',
    },
    source: { type: ['string', 'null'], description: 'How the state says it was found.' },
    agrees: {
      type: 'boolean',
      description: 'Whether the state and the repository can both be right.',
    },
    about: { type: 'string', description: 'What that means for the session.' },
  },
  additionalProperties: false,
  description: 'How the profile of the state stands to the one that was found.',
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
    scope: paths('The component scope; empty where there is none.'),
    ignored: PathAndWhy('Paths of the scope that could not be taken for one.'),
    profile: { type: 'string', description: 'ActiveProfile; empty while none is known.' },
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
    evidence: { type: 'string', description: 'ProfileEvidence: the files that speak for it.' },
    rulebook: {
      type: ['string', 'null'],
      description: 'The rulebook of the profile nearest to the root.',
    },
    candidates: {
      type: 'array',
      items: Candidate,
      description: 'The profiles to choose from; 20 at most.',
    },
    conflicts: {
      type: 'array',
      items: Conflict,
      description: 'Signals that contradict each other; 20 at most.',
    },
    conflictPoints: {
      type: 'integer',
      description: 'What unsettled conflicts take from the confidence: -15 or 0.',
    },
    unread: PathAndWhy('Manifests that count by their names only; 20 at most.'),
    mode: {
      enum: ['BLOCKED', null],
      description: 'The mode that the session must have now; null where any will do.',
    },
    decides: { type: ['string', 'null'], description: 'The one input that would decide.' },
    agreement: {
      anyOf: [Agreement, { type: 'null', description: 'There is no state.' }],
      description: 'How the profile of the state stands to the one that was found.',
    },
    yaml: Yaml,
  },
  additionalProperties: false,
  title: 'Output of waybill state profile',
  description: 'The profile that a repository speaks for, and what shows it.',
} as const

/** What `state profile` answers. */
export type StateProfileOutput = TypeOf<typeof schema>
export default schema
