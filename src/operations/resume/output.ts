import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const said = (description: string) => ({ type: ['string', 'null'], description }) as const
const listOf = <const S>(items: S, description: string) =>
  ({ type: 'array', items, description }) as const

const nullable = <const S>(part: S) =>
  ({
    anyOf: [part, { type: 'null', description: 'There is none, or it was not looked at.' }],
  }) as const

const Diagnostic = {
  type: 'object',
  required: ['code', 'severity', 'message'],
  properties: {
    code: text('What it is: of a rule, of the chain, or resume/… of resuming itself.'),
    severity: {
      enum: ['error', 'warning', 'info'],
      description: 'An error refuses; a warning is a caution to whoever goes on.',
    },
    message: text('What it is, in words.'),
    hint: text('What to do about it.'),
    path: text('The document that it is about, from the root.'),
    line: { type: 'integer', minimum: 1, description: 'The line of the document.' },
  },
  additionalProperties: false,
  description: 'Why it is refused, or what to take care of.',
} as const

const Step = {
  type: 'object',
  required: ['step', 'outcome', 'detail'],
  properties: {
    step: {
      enum: ['validate', 'classify', 'load', 'chain', 'references', 'branch', 'checks', 'brief'],
      description: 'Which step it is; they are taken in this order.',
    },
    outcome: {
      enum: ['passed', 'caution', 'refused', 'not-taken'],
      description: 'What came of it; after a refusal no further step is taken.',
    },
    detail: text('What was found, in words.'),
  },
  additionalProperties: false,
  description: 'One step of resuming.',
} as const

const Handoff = {
  type: 'object',
  required: ['path', 'sha256', 'timestamp', 'mode', 'adr', 'branch', 'agent', 'session', 'title'],
  properties: {
    path: text('Where it is, from the root.'),
    sha256: text('The digest of the bytes that were read, in hex.'),
    timestamp: said('When it was written, as it says itself.'),
    mode: said('CREATE or RESUME, as it says itself.'),
    adr: said('The decision record that it belongs to.'),
    branch: said('The branch that it was written on.'),
    agent: said('Who wrote it.'),
    session: said('The session that it belongs to.'),
    title: said('The heading above its sections.'),
  },
  additionalProperties: false,
  description: 'The handoff document that was meant.',
} as const

const Staleness = {
  type: 'object',
  required: ['class', 'factor', 'reason'],
  properties: {
    class: {
      enum: ['fresh', 'slightly stale', 'stale', 'very stale'],
      description: 'From stale on a person has to verify it first.',
    },
    factor: {
      enum: ['age', 'commits', 'files', 'branch', 'drift'],
      description: 'What decided.',
    },
    reason: text('The same in words.'),
  },
  additionalProperties: false,
  description: 'How stale it is.',
} as const

const Verification = {
  type: 'object',
  required: ['by', 'at', 'note', 'standing', 'new'],
  properties: {
    by: text('Who verified these bytes.'),
    at: text('When.'),
    note: text('Why the document still holds.'),
    standing: { const: 'claimed', description: 'A name that nothing proves.' },
    new: { type: 'boolean', description: 'Whether it was stated with this call.' },
  },
  additionalProperties: false,
  description: 'The person who verified these bytes.',
} as const

const Branch = {
  type: 'object',
  required: ['stated', 'checkedOut', 'state'],
  properties: {
    stated: said('The branch that the document names.'),
    checkedOut: said('The branch that is checked out; null for none, and outside of Git.'),
    state: {
      enum: ['checked-out', 'elsewhere', 'diverged', 'gone', 'unknown', 'no-repository'],
      description:
        'Where the stated branch is: checked out, there but another one is checked out, parted from the one it follows.',
    },
  },
  additionalProperties: false,
  description: 'The branch that it was written on.',
} as const

const Check = {
  type: 'object',
  required: ['line', 'text', 'command', 'outcome', 'exitCode', 'output'],
  properties: {
    line: { type: 'integer', minimum: 1, description: 'The line of the document.' },
    text: text('What the checklist asks for.'),
    command: said('The command in it; null where only a reader can tell.'),
    outcome: {
      enum: ['passed', 'failed', 'timed-out', 'declined', 'refused', 'not-run'],
      description:
        'What came of it; declined by the person who was asked, refused because it cannot be shown as it is.',
    },
    exitCode: { type: ['integer', 'null'], description: 'How the command ended by itself.' },
    output: said('The end of what it printed; null where it did not run.'),
  },
  additionalProperties: false,
  description: 'One item of the verification checklist.',
} as const

const schema = {
  type: 'object',
  required: [
    'accepted',
    'handoff',
    'passedOver',
    'steps',
    'diagnostics',
    'staleness',
    'verification',
    'chain',
    'references',
    'branch',
    'checks',
    'others',
    'record',
    'brief',
  ],
  properties: {
    accepted: { type: 'boolean', description: 'Whether the next session may go on from it.' },
    handoff: {
      ...nullable(Handoff),
      description: 'The handoff document; null where no valid one was found.',
    },
    passedOver: listOf(
      {
        type: 'object',
        required: ['path', 'timestamp', 'errors', 'reasons'],
        properties: {
          path: text('Where it is, from the root.'),
          timestamp: said('When it was written, as it says itself.'),
          errors: { type: 'integer', minimum: 1, description: 'How many errors it has.' },
          reasons: listOf(Diagnostic, 'The first of its errors.'),
        },
        additionalProperties: false,
        description: 'One newer document that is not valid.',
      } as const,
      'Newer documents that were passed over, the newest first.',
    ),
    steps: listOf(Step, 'Every step, in its order.'),
    diagnostics: listOf(Diagnostic, 'Why it is refused, and what to take care of.'),
    staleness: {
      ...nullable(Staleness),
      description: 'How stale it is; null where that was not looked at.',
    },
    verification: {
      ...nullable(Verification),
      description: 'The person who verified these bytes, if there is one.',
    },
    chain: listOf(
      {
        type: 'object',
        required: ['path', 'timestamp', 'agent', 'title'],
        properties: {
          path: text('Where it is, from the root.'),
          timestamp: said('When it was written.'),
          agent: said('Who wrote it.'),
          title: said('The heading above its sections.'),
        },
        additionalProperties: false,
        description: 'One document that it goes back to.',
      } as const,
      'The documents that it carries on, the first of the chain first.',
    ),
    references: listOf(
      {
        type: 'object',
        required: ['path', 'exists'],
        properties: {
          path: text('The path that is named as evidence.'),
          exists: { type: 'boolean', description: 'Whether it is in the repository.' },
        },
        additionalProperties: false,
        description: 'One piece of evidence.',
      } as const,
      'What the document names as evidence.',
    ),
    branch: {
      ...nullable(Branch),
      description: 'The branch that it was written on; null where that was not looked at.',
    },
    checks: listOf(Check, 'The verification checklist, and what came of it.'),
    others: listOf(
      {
        type: 'object',
        required: ['by', 'session', 'at'],
        properties: {
          by: text('Who resumed.'),
          session: said('In which session.'),
          at: text('When.'),
        },
        additionalProperties: false,
        description: 'One other who resumed.',
      } as const,
      'Who else has resumed from the same bytes, the earliest first.',
    ),
    record: text('The name of the record of this result.'),
    brief: said('What the next session must read; null where the document was refused.'),
  },
  additionalProperties: false,
  title: 'Output of waybill resume',
  description: 'Whether a session may go on from a handoff document, and what it must read.',
} as const

/** Why a handoff is refused, or what to take care of. */
export type ResumeDiagnostic = TypeOf<typeof Diagnostic>

/** One step of resuming. */
export type ResumeStep = TypeOf<typeof Step>

/** One item of the verification checklist. */
export type ResumeCheck = TypeOf<typeof Check>

/** What `resume` answers. */
export type ResumeOutput = TypeOf<typeof schema>
export default schema
