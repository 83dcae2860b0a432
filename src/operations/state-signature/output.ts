import type { TypeOf } from '../operation.ts'
import { Listing, paths, RepoCacheFile, StatePath, Yaml } from '../state/ground-output.ts'

const Current = {
  type: 'object',
  required: ['GitHead', 'RepoSignature', 'LastUpdated'],
  properties: {
    GitHead: { type: 'string', description: 'The commit that is checked out, or unknown.' },
    RepoSignature: { type: 'string', description: 'The signature of the repository, or unknown.' },
    LastUpdated: { type: 'string', description: 'Today.' },
  },
  additionalProperties: false,
  description: 'What a cache that is written now should say.',
} as const

const schema = {
  type: 'object',
  required: [
    'state',
    'listing',
    'folders',
    'shaping',
    'whyNoSignature',
    'current',
    'cache',
    'RepoCacheFile',
    'yaml',
  ],
  properties: {
    state: StatePath,
    listing: Listing,
    folders: { type: 'integer', description: 'How many folders went into the signature.' },
    shaping: paths('The files whose text went into it; 200 at most.'),
    whyNoSignature: { type: ['string', 'null'], description: 'Why there is no signature.' },
    current: Current,
    cache: {
      type: 'string',
      description: 'The cache that was looked for; from the root where it lies in it.',
    },
    RepoCacheFile,
    yaml: Yaml,
  },
  additionalProperties: false,
  title: 'Output of waybill state signature',
  description: 'What a repository looks like now, and whether a cache still describes it.',
} as const

/** What `state signature` answers. */
export type StateSignatureOutput = TypeOf<typeof schema>
export default schema
