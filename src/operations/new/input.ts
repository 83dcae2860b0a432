/** The inputs that `new` and `handoff` share. */
export const HANDOFF_INPUT = {
  from: {
    type: 'string',
    path: true,
    placeholder: 'file',
    inline: true,
    description: 'The content as JSON or YAML, or Markdown for a handoff; - reads standard input.',
  },
  agent: {
    type: 'string',
    placeholder: 'name',
    description: 'Who writes it (default: your name).',
  },
  session: {
    type: 'string',
    placeholder: 'id',
    description: 'The session it belongs to.',
  },
  adr: {
    type: 'string',
    placeholder: 'id',
    description: 'The decision record of a handoff, such as ADR-0.0.25.',
  },
  branch: {
    type: 'string',
    placeholder: 'name',
    description:
      'The branch of a handoff (default: the one of Git; none where there is no Git repository).',
  },
  slug: {
    type: 'string',
    placeholder: 'words',
    description: 'The topic of a handoff, for its file name.',
  },
  continues: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description: 'The handoff that this one continues (default: the newest); none starts a chain.',
  },
  carry: {
    type: 'array',
    items: { type: 'string' },
    placeholder: 'n=outcome:why',
    description:
      'The outcome of an open item: its number, kept, done or superseded, and the reason.',
  },
  supersede: {
    type: 'array',
    items: { type: 'string' },
    placeholder: 'id=why',
    description: 'A decision, fact or rule that no longer holds, and why.',
  },
  by: {
    type: 'string',
    placeholder: 'person',
    description: 'The person who ends a rule.',
  },
  draft: {
    type: 'boolean',
    description: 'Write a draft despite errors, with a TODO in each missing part.',
  },
} as const
