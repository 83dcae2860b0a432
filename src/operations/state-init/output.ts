import type { TypeOf } from '../operation.ts'
import { StateSummary } from '../state/output.ts'

const schema = {
  type: 'object',
  required: ['path', 'sha256', 'state', 'found', 'next'],
  properties: {
    path: { type: 'string', description: 'The new file, from the root.' },
    sha256: { type: 'string', description: 'The SHA-256 of its bytes, for --expect.' },
    state: StateSummary,
    found: {
      type: 'object',
      required: ['branch', 'profile', 'evidence', 'core', 'rulebook', 'decides'],
      properties: {
        branch: { type: ['string', 'null'], description: 'The checked-out branch.' },
        profile: { type: ['string', 'null'], description: 'The profile, if one is known.' },
        evidence: {
          type: ['string', 'null'],
          description: 'The files that indicate the profile, or the possible ones.',
        },
        core: { type: ['string', 'null'], description: 'The core rulebook.' },
        rulebook: { type: ['string', 'null'], description: 'The rulebook of the profile.' },
        decides: {
          type: ['string', 'null'],
          description: 'What would decide an unknown profile.',
        },
      },
      additionalProperties: false,
      description: 'What the repository shows about the session.',
    },
    next: {
      type: 'array',
      items: {
        type: 'object',
        required: ['command', 'does'],
        properties: {
          command: { type: 'string', description: 'A command line.' },
          does: { type: 'string', description: 'What it does.' },
        },
        additionalProperties: false,
        description: 'One next step.',
      },
      description: 'Next steps.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill state init',
  description: 'The state file of a new session.',
} as const

/** The output of `state init`. */
export type StateInitOutput = TypeOf<typeof schema>
export default schema
