import { ConflictList, InForceList, LeftList, OpenList } from '../in-force/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const listOf = <const S>(items: S, description: string) =>
  ({ type: 'array', items, description }) as const

const nullable = <const S>(part: S) =>
  ({
    anyOf: [part, { type: 'null', description: 'There is none, or it was not checked.' }],
  }) as const

const Diagnostic = {
  type: 'object',
  required: ['code', 'severity', 'message'],
  properties: {
    code: text('A code of a rule or the chain, or resume/… for resuming itself.'),
    severity: {
      enum: ['error', 'warning', 'info'],
      description: 'An error refuses; a warning is a caution.',
    },
    message: text('What is wrong.'),
    hint: text('How to fix it.'),
    path: text('The document, from the root.'),
    line: { type: 'integer', minimum: 1, description: 'The line in the document.' },
  },
  additionalProperties: false,
  description: 'A reason for refusal, or a caution.',
} as const

const Step = {
  type: 'object',
  required: ['step', 'outcome', 'detail'],
  properties: {
    step: {
      enum: ['validate', 'classify', 'load', 'chain', 'references', 'branch', 'checks', 'brief'],
      description: 'The step; steps are taken in this order.',
    },
    outcome: {
      enum: ['passed', 'caution', 'refused', 'not-taken'],
      description: 'Its result; no step follows a refusal.',
    },
    detail: text('A summary.'),
  },
  additionalProperties: false,
  description: 'One step of resuming.',
} as const

const Handoff = {
  type: 'object',
  required: ['path', 'sha256', 'timestamp', 'mode', 'adr', 'branch', 'agent', 'session', 'title'],
  properties: {
    path: text('Its path, from the root.'),
    sha256: text('The SHA-256 of its bytes, in hex.'),
    timestamp: textOrNull('When it was written, according to itself.'),
    mode: textOrNull('CREATE or RESUME.'),
    adr: textOrNull('Its decision record.'),
    branch: textOrNull('The branch it was written on.'),
    agent: textOrNull('Who wrote it.'),
    session: textOrNull('Its session.'),
    title: textOrNull('Its title.'),
  },
  additionalProperties: false,
  description: 'The handoff document.',
} as const

const Staleness = {
  type: 'object',
  required: ['class', 'factor', 'reason'],
  properties: {
    class: {
      enum: ['fresh', 'slightly stale', 'stale', 'very stale'],
      description: 'From stale on, a person has to verify it first.',
    },
    factor: { const: 'age', description: 'The deciding factor.' },
    reason: text('The reason in words.'),
  },
  additionalProperties: false,
  description: 'How stale it is.',
} as const

const Changes = {
  type: 'object',
  required: ['commits', 'files', 'named', 'paths'],
  properties: {
    commits: { type: 'integer', minimum: 1, description: 'The number of commits.' },
    files: { type: 'integer', minimum: 1, description: 'The number of changed files.' },
    named: {
      type: 'integer',
      minimum: 0,
      description: 'How many of them the document names.',
    },
    paths: listOf(text('A path from the root.'), 'The first of them, those that it names first.'),
  },
  additionalProperties: false,
  description: 'What the commits since it was written changed; absent without any.',
} as const

const Verification = {
  type: 'object',
  required: ['by', 'at', 'note', 'standing', 'new'],
  properties: {
    by: text('The person.'),
    at: text('When.'),
    note: text('Why the document still holds.'),
    standing: { const: 'claimed', description: 'Nothing proves the name.' },
    new: { type: 'boolean', description: 'Whether it was stated in this call.' },
  },
  additionalProperties: false,
  description: 'The person who verified these bytes.',
} as const

const Branch = {
  type: 'object',
  required: ['stated', 'checkedOut', 'state'],
  properties: {
    stated: textOrNull('The branch that the document names.'),
    checkedOut: textOrNull('The branch that is checked out; null when there is none.'),
    state: {
      enum: ['checked-out', 'elsewhere', 'merged', 'diverged', 'gone', 'unknown', 'no-repository'],
      description:
        'The state of that branch; elsewhere: another branch is checked out; merged: into that one; diverged: from its upstream.',
    },
  },
  additionalProperties: false,
  description: 'The branch it was written on.',
} as const

const Check = {
  type: 'object',
  required: ['line', 'text', 'command', 'outcome', 'exitCode', 'output'],
  properties: {
    line: { type: 'integer', minimum: 1, description: 'The line in the document.' },
    text: text('The text of the item.'),
    command: textOrNull('Its command; null when only a reader can check it.'),
    outcome: {
      enum: ['passed', 'failed', 'timed-out', 'declined', 'refused', 'not-run'],
      description: 'Its result; declined: by the user; refused: cannot be shown safely.',
    },
    exitCode: { type: ['integer', 'null'], description: 'The exit code, when it ended by itself.' },
    output: textOrNull('The end of its output; null when not run.'),
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
    'inForce',
    'open',
    'left',
    'conflicts',
  ],
  properties: {
    accepted: { type: 'boolean', description: 'Whether a session may resume from it.' },
    handoff: {
      ...nullable(Handoff),
      description: 'The handoff document; null when no valid one was found.',
    },
    passedOver: listOf(
      {
        type: 'object',
        required: ['path', 'timestamp', 'errors', 'reasons'],
        properties: {
          path: text('Its path, from the root.'),
          timestamp: textOrNull('When it was written, according to itself.'),
          errors: { type: 'integer', minimum: 1, description: 'The number of its errors.' },
          reasons: listOf(Diagnostic, 'Its first errors.'),
        },
        additionalProperties: false,
        description: 'A newer document that is not valid.',
      } as const,
      'Newer documents that were skipped, newest first.',
    ),
    steps: listOf(Step, 'Every step, in order.'),
    diagnostics: listOf(Diagnostic, 'Reasons for refusal, and cautions.'),
    staleness: {
      ...nullable(Staleness),
      description: 'How stale it is; null when not checked.',
    },
    changes: Changes,
    verification: {
      ...nullable(Verification),
      description: 'The person who verified these bytes, if any.',
    },
    chain: listOf(
      {
        type: 'object',
        required: ['path', 'timestamp', 'agent', 'title'],
        properties: {
          path: text('Its path, from the root.'),
          timestamp: textOrNull('When it was written.'),
          agent: textOrNull('Who wrote it.'),
          title: textOrNull('Its title.'),
        },
        additionalProperties: false,
        description: 'A document before it in the chain.',
      } as const,
      'The documents before it, first of the chain first.',
    ),
    references: listOf(
      {
        type: 'object',
        required: ['path', 'exists'],
        properties: {
          path: text('The path of the evidence.'),
          exists: { type: 'boolean', description: 'Whether it exists.' },
        },
        additionalProperties: false,
        description: 'One piece of evidence.',
      } as const,
      'The evidence that the document names.',
    ),
    branch: {
      ...nullable(Branch),
      description: 'Its branch; null when not checked.',
    },
    checks: listOf(Check, 'The verification checklist and its results.'),
    others: listOf(
      {
        type: 'object',
        required: ['by', 'session', 'at'],
        properties: {
          by: text('Who resumed.'),
          session: textOrNull('The session.'),
          at: text('When.'),
        },
        additionalProperties: false,
        description: 'Another session that resumed.',
      } as const,
      'Others who resumed from the same bytes, earliest first.',
    ),
    record: text('The name of the record of this result.'),
    brief: textOrNull('What the next session must read; null when refused.'),
    inForce: InForceList,
    open: OpenList,
    left: LeftList,
    conflicts: ConflictList,
  },
  additionalProperties: false,
  title: 'Output of waybill resume',
  description: 'Whether a session may resume from a handoff document, and what it must read.',
} as const

/** A reason for refusal, or a caution. */
export type ResumeDiagnostic = TypeOf<typeof Diagnostic>

/** One step of resuming. */
export type ResumeStep = TypeOf<typeof Step>

/** One item of the verification checklist. */
export type ResumeCheck = TypeOf<typeof Check>

/** The output of `resume`. */
export type ResumeOutput = TypeOf<typeof schema>
export default schema
