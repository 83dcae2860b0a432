import type { TypeOf } from '../operation.ts'

/** Where the state was read, in the answers about the repository. */
export const StatePath = {
  type: ['string', 'null'],
  description: 'The state file, from the root; null where there is none.',
} as const

/** A list of paths from the root. */
export const paths = (description: string) =>
  ({
    type: 'array',
    items: { type: 'string', description: 'A path from the root.' },
    description,
  }) as const

/** How the repository was listed. */
export const Listing = {
  type: 'object',
  required: ['by', 'files', 'gitHead', 'whyNoHead'],
  properties: {
    by: { enum: ['git', 'folders'], description: 'Who keeps the list: Git, or the folders alone.' },
    files: { type: 'integer', description: 'How many files were looked at, by name.' },
    gitHead: { type: 'string', description: 'The commit that is checked out, or unknown.' },
    whyNoHead: { type: ['string', 'null'], description: 'Why no commit can be named.' },
  },
  additionalProperties: false,
  description: 'How the repository was listed.',
} as const

/** The block to paste. */
export const Yaml = {
  type: 'string',
  description:
    'What the state should hold, as YAML to paste; below a key of its own where the file has one.',
} as const

/** Whether two facts are the same. */
export const MATCH = (description: string) =>
  ({ enum: [true, false, 'unknown'], description }) as const

const text = (description: string) => ({ type: 'string', description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const

/** The part of a state that tells of the cache. */
export const RepoCacheFile = {
  type: 'object',
  required: [
    'SourcePath',
    'TargetPath',
    'Loaded',
    'Valid',
    'InvalidationReason',
    'GitHead',
    'RepoSignature',
    'GitHeadMatch',
    'RepoSignatureMatch',
    'LastUpdated',
    'FileStatus',
  ],
  properties: {
    SourcePath: text('Where the cache is read.'),
    TargetPath: text('Where the cache is written.'),
    Loaded: flag('Whether the cache was read.'),
    Valid: flag('Whether the cache may be relied on.'),
    InvalidationReason: text('Why the cache may not be relied on; empty where it may.'),
    GitHead: text('The commit that the cache describes, or unknown.'),
    RepoSignature: text('The signature that the cache describes, or unknown.'),
    GitHeadMatch: MATCH('Whether that commit is the current one.'),
    RepoSignatureMatch: MATCH('Whether that signature is the current one.'),
    LastUpdated: text('The day on which the cache was written, or unknown.'),
    FileStatus: {
      enum: ['write-requested', 'not-applicable'],
      description: 'Whether the cache has to be written anew after discovery.',
    },
  },
  additionalProperties: false,
  description: 'What the state should say of the cache.',
} as const

/** How the repository was listed. */
export type ListingOutput = TypeOf<typeof Listing>

/** What the state should say of the cache. */
export type RepoCacheFileOutput = TypeOf<typeof RepoCacheFile>
