import type { TypeOf } from '../operation.ts'

/** The state file in outputs about the repository. */
export const StatePath = {
  type: ['string', 'null'],
  description: 'The state file, from the root; null when there is none.',
} as const

/** A list of paths from the root. */
export const paths = (description: string) =>
  ({
    type: 'array',
    items: { type: 'string', description: 'A path from the root.' },
    description,
  }) as const

/** How the files were listed. */
export const Listing = {
  type: 'object',
  required: ['by', 'files', 'gitHead', 'whyNoHead'],
  properties: {
    by: {
      enum: ['git', 'folders'],
      description: 'The source of the list: Git or the file system.',
    },
    files: { type: 'integer', description: 'How many files were listed.' },
    gitHead: { type: 'string', description: 'The checked-out commit, or unknown.' },
    whyNoHead: { type: ['string', 'null'], description: 'Why there is no commit.' },
  },
  additionalProperties: false,
  description: 'How the files were listed.',
} as const

/** The block to paste. */
export const Yaml = {
  type: 'string',
  description: 'The state as YAML to paste, nested under a key when the file does that.',
} as const

/** Whether two facts match. */
export const MATCH = (description: string) =>
  ({ enum: [true, false, 'unknown'], description }) as const

const text = (description: string) => ({ type: 'string', description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const

/** The part of a state about the cache. */
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
    SourcePath: text('The path that the cache is read from.'),
    TargetPath: text('The path that the cache is written to.'),
    Loaded: flag('Whether the cache was read.'),
    Valid: flag('Whether the cache is valid.'),
    InvalidationReason: text('Why the cache is invalid; empty when valid.'),
    GitHead: text('The commit in the cache, or unknown.'),
    RepoSignature: text('The signature in the cache, or unknown.'),
    GitHeadMatch: MATCH('Whether that commit is the current one.'),
    RepoSignatureMatch: MATCH('Whether that signature is the current one.'),
    LastUpdated: text('The date of the cache, or unknown.'),
    FileStatus: {
      enum: ['write-requested', 'not-applicable'],
      description: 'Whether discovery has to write the cache again.',
    },
  },
  additionalProperties: false,
  description: 'The RepoCacheFile part of the state.',
} as const

/** How the files were listed. */
export type ListingOutput = TypeOf<typeof Listing>

/** The RepoCacheFile part of the state. */
export type RepoCacheFileOutput = TypeOf<typeof RepoCacheFile>
