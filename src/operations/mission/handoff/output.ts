const text = (description: string) => ({ type: 'string', description }) as const

const Finding = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: text('A stable code; a field that is missing has none of its own.'),
    message: text('What is the matter.'),
    hint: text('What to do about it.'),
  },
  additionalProperties: false,
  description: 'One thing that speaks against the document.',
} as const

/** What became of the handoff document of a mission. */
export const MissionHandoff = {
  type: ['object', 'null'],
  required: ['path', 'accepted', 'staleness', 'findings'],
  properties: {
    path: text('The document, from the root.'),
    accepted: {
      type: 'boolean',
      description: 'Whether it was written, or gone on from; nothing else happened where not.',
    },
    staleness: {
      type: ['string', 'null'],
      description: 'How old it is by what happened since; null for a new one.',
    },
    findings: { type: 'array', items: Finding, description: 'What speaks against it.' },
  },
  additionalProperties: false,
  description: 'The handoff document of the mission; null where there is none.',
} as const

/** What became of the handoff document of a mission. */
export interface MissionHandoffParts {
  readonly path: string
  readonly accepted: boolean
  readonly staleness: string | null
  readonly findings: readonly {
    readonly code: string
    readonly message: string
    readonly hint?: string
  }[]
}
