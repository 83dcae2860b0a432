import type { TypeOf } from '../operation.ts'
import { Listing, paths, RepoCacheFile, StatePath, Yaml } from '../state/ground-output.ts'

const Current = {
  type: 'object',
  required: ['GitHead', 'RepoSignature', 'LastUpdated'],
  properties: {
    GitHead: { type: 'string', description: 'The checked-out commit, or unknown.' },
    RepoSignature: { type: 'string', description: 'The signature of the repository, or unknown.' },
    LastUpdated: { type: 'string', description: 'Today.' },
  },
  additionalProperties: false,
  description: 'The values for a cache that is written now.',
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
    folders: { type: 'integer', description: 'How many folders the signature covers.' },
    shaping: paths('The files whose text the signature covers; 200 at most.'),
    whyNoSignature: { type: ['string', 'null'], description: 'Why there is no signature.' },
    current: Current,
    cache: {
      type: 'string',
      description: 'The path of the cache; from the root when inside it.',
    },
    RepoCacheFile,
    yaml: Yaml,
  },
  additionalProperties: false,
  title: 'Output of waybill state signature',
  description: 'The signature of a repository, and whether a cache matches it.',
} as const

/** The output of `state signature`. */
export type StateSignatureOutput = TypeOf<typeof schema>
export default schema
