import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const
const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const countOrNull = (description: string) =>
  ({ type: ['integer', 'null'], minimum: 0, description }) as const

const Fault = {
  type: 'object',
  required: ['code', 'severity', 'index', 'digest', 'file', 'message', 'why', 'hint'],
  properties: {
    code: text('The code; waybill explain describes it.'),
    severity: { enum: ['error', 'warning'], description: 'Only errors fail the verification.' },
    index: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The index of the entry concerned, or null.',
    },
    digest: textOrNull('The digest of that entry, if known.'),
    file: textOrNull(
      'Path of the file from the folder of the log, or from the root if outside of it.',
    ),
    message: text('The problem, in words.'),
    why: text('Why it matters.'),
    hint: text('What to do about it.'),
  },
  additionalProperties: false,
  description: 'One problem or note.',
} as const

const Key = {
  type: 'object',
  required: ['keyid', 'holder', 'entries'],
  properties: {
    keyid: text('SHA-256 of the public key (SPKI) in hex.'),
    holder: textOrNull('Its holder; null if not trusted.'),
    entries: count('Number of valid entries it has signed.'),
  },
  additionalProperties: false,
  description: 'A key that has signed entries.',
} as const

const Erased = {
  type: 'object',
  required: ['index', 'digest', 'ids', 'reason', 'by', 'at', 'recorded'],
  properties: {
    index: count('The index of the entry.'),
    digest: text('The digest of the entry.'),
    ids: {
      type: 'object',
      properties: {},
      additionalProperties: true,
      description: 'The ids that still find it.',
    },
    reason: text('The reason.'),
    by: text('The person who erased it.'),
    at: text('Time of the erasure, ISO 8601.'),
    recorded: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The index of the erasure entry.',
    },
  },
  additionalProperties: false,
  description: 'An erased entry; its existence is still proved.',
} as const

const Span = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: text('Time of the first entry, ISO 8601.'),
    to: text('Time of the last entry, ISO 8601.'),
  },
  additionalProperties: false,
  description: 'A time span.',
} as const

const Witnessed = {
  type: 'object',
  required: ['quorum', 'met', 'by'],
  properties: {
    quorum: text('The witness or group that the policy requires, or `none`.'),
    met: { type: 'boolean', description: 'Whether the quorum is met.' },
    by: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'time'],
        properties: {
          name: text('Its name in the policy.'),
          time: text('Time of the cosignature, ISO 8601.'),
        },
        additionalProperties: false,
        description: 'A witness.',
      },
      description: 'Witnesses with a valid cosignature.',
    },
  },
  additionalProperties: false,
  description: 'The cosignatures of the checkpoint.',
} as const

const Signed = {
  type: 'object',
  required: ['people', 'senders'],
  properties: {
    people: count('Number of statements with a valid signature of a person.'),
    senders: countOrNull(
      'Number of accepted handoffs with a valid signature of the sender; null without --senders.',
    ),
  },
  additionalProperties: false,
  description: 'Entries with valid signatures of people and senders.',
} as const

const Receipt = {
  type: 'object',
  required: ['file', 'origin', 'index', 'digest', 'kind', 'state'],
  properties: {
    file: text('Path of the file from the root.'),
    origin: text('The name of the log that issued it.'),
    index: count('The promised index.'),
    digest: text('The digest of the promised entry.'),
    kind: textOrNull('The kind of the entry; null if the file does not include it.'),
    state: {
      enum: ['kept', 'pending', 'promised'],
      description:
        'In the checkpoint, waiting for the next one, or promised by a log that is not available here.',
    },
  },
  additionalProperties: false,
  description: 'A valid receipt.',
} as const

const schema = {
  type: 'object',
  required: [
    ...['verified', 'quick', 'ledger', 'origin', 'size', 'root', 'covered', 'signers', 'keys'],
    ...[
      'counts',
      'erased',
      'guards',
      'signed',
      'witnessed',
      'receipts',
      'first',
      'faults',
      'errors',
      'warnings',
    ],
  ],
  properties: {
    verified: { type: 'boolean', description: 'Whether no error was found.' },
    quick: { type: 'boolean', description: 'Whether only tree and checkpoints were verified.' },
    ledger: textOrNull(
      'Folder of the log (from the root if below it), or postgres; null if only receipts were verified.',
    ),
    origin: textOrNull('The name of the log; null without a valid checkpoint.'),
    size: { type: ['integer', 'null'], minimum: 0, description: 'Number of entries.' },
    root: textOrNull('The root hash of its tree, in hex.'),
    covered: {
      anyOf: [Span, { type: 'null', description: 'No entry was read.' }],
      description: 'The time span of the entries; null if none was read.',
    },
    signers: {
      type: 'array',
      items: text('One key.'),
      description: 'The trusted keys that signed the checkpoint, each as `<origin>+<id>`.',
    },
    keys: { type: 'array', items: Key, description: 'The keys that have signed entries.' },
    counts: {
      type: 'object',
      required: [
        ...['entries', 'sent', 'accepted', 'needsInput', 'rejected', 'securityEvents'],
        ...['reconciliations', 'approvals', 'records', 'keyChanges', 'clockJumps', 'erasures'],
        ...['taskAnswers', 'writeBackDecisions', 'writeBackOutcomes', 'erased', 'pending'],
      ],
      properties: {
        entries: count('Entries covered by the checkpoint.'),
        sent: count('Sent handoffs.'),
        accepted: count('Accepted handoffs.'),
        needsInput: count('Handoffs that needed input.'),
        rejected: count('Rejected handoffs.'),
        securityEvents: count('Security events.'),
        reconciliations: count('Agents released from quarantine.'),
        approvals: count('Approvals and rejections of handoffs by people.'),
        taskAnswers: count('Mission tasks answered by a person.'),
        writeBackDecisions: count('Approvals and rejections of proposed write-backs.'),
        writeBackOutcomes: count('Approved write-backs that were delivered or abandoned.'),
        records: count('Records, such as resumes.'),
        keyChanges: count('Created, rotated and revoked keys.'),
        clockJumps: count('Clock changes.'),
        erasures: count('Erasure entries.'),
        erased: count('Erased entries.'),
        pending: count('Promised entries that wait for a checkpoint.'),
      },
      additionalProperties: false,
      description: 'The totals; with --quick, only the first and the last.',
    },
    erased: { type: 'array', items: Erased, description: 'The erased entries.' },
    guards: {
      type: 'array',
      items: {
        type: 'object',
        required: ['file', 'size'],
        properties: {
          file: text('Path of the file.'),
          size: count('Number of entries it covers.'),
        },
        additionalProperties: false,
        description: 'A copy of a checkpoint outside of the log that agrees with it.',
      },
      description: 'The checkpoint copies that the log was compared with.',
    },
    signed: {
      anyOf: [
        Signed,
        { type: 'null', description: 'The keys of people and agents are not known.' },
      ],
      description: 'Valid signatures of people and senders; null if their keys are not known.',
    },
    witnessed: {
      anyOf: [Witnessed, { type: 'null', description: 'No witness policy.' }],
      description: 'The cosignatures of the checkpoint; null without a witness policy.',
    },
    receipts: { type: 'array', items: Receipt, description: 'The valid receipts.' },
    first: {
      anyOf: [Fault, { type: 'null', description: 'No error.' }],
      description: 'The error of the first bad entry, else the first error, or null.',
    },
    faults: { type: 'array', items: Fault, description: 'The problems and notes, at most 100.' },
    errors: count('Number of errors, including those not listed.'),
    warnings: count('Number of warnings.'),
  },
  additionalProperties: false,
  title: 'Output of waybill log verify',
  description: 'The verification of a log.',
} as const

/** One problem with a log, or a note. */
export type LogFault = TypeOf<typeof Fault>

/** The output of `log verify`. */
export type LogVerifyOutput = TypeOf<typeof schema>
export default schema
