const text = (description: string) => ({ type: 'string', description }) as const

const Finding = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: text('A stable code; the same one for every missing field.'),
    message: text('What is wrong.'),
    hint: text('How to fix it.'),
  },
  additionalProperties: false,
  description: 'One problem with the document.',
} as const

/** The handoff document of a mission, written or used. */
export const MissionHandoff = {
  type: ['object', 'null'],
  required: ['path', 'accepted', 'staleness', 'findings'],
  properties: {
    path: text('The path of the document, from the root.'),
    accepted: {
      type: 'boolean',
      description: 'Whether it was written or resumed; if not, nothing changed.',
    },
    staleness: {
      type: ['string', 'null'],
      description: 'How stale it is; null for a new one.',
    },
    findings: { type: 'array', items: Finding, description: 'Its problems.' },
  },
  additionalProperties: false,
  description: 'The handoff document of the mission; null when there is none.',
} as const

/** The handoff document of a mission, written or used. */
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
