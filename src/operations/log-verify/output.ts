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
    code: text('What is wrong, as waybill explain knows it.'),
    severity: { enum: ['error', 'warning'], description: 'Only errors refuse a log.' },
    index: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The entry that it is about; null where it is about none alone.',
    },
    digest: textOrNull('The name of that entry, as far as it is known.'),
    file: textOrNull('The file, from the folder of the log; from the root where it is outside.'),
    message: text('What was found.'),
    why: text('Why it matters.'),
    hint: text('What to do about it.'),
  },
  additionalProperties: false,
  description: 'One thing that is wrong, or worth knowing.',
} as const

const Key = {
  type: 'object',
  required: ['keyid', 'holder', 'entries'],
  properties: {
    keyid: text('SHA-256 of the public key (SPKI) in hex.'),
    holder: textOrNull('Whose it is; null where nobody has vouched for it.'),
    entries: count('How many sound entries it has signed.'),
  },
  additionalProperties: false,
  description: 'A key that entries were signed with.',
} as const

const Erased = {
  type: 'object',
  required: ['index', 'digest', 'ids', 'reason', 'by', 'at', 'recorded'],
  properties: {
    index: count('Its place in the log.'),
    digest: text('Its name.'),
    ids: {
      type: 'object',
      properties: {},
      additionalProperties: true,
      description: 'The ids by which it is still found.',
    },
    reason: text('Why it was erased.'),
    by: text('Who erased it.'),
    at: text('When.'),
    recorded: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The entry that records the erasure.',
    },
  },
  additionalProperties: false,
  description: 'An entry whose content is gone; that it was there is still proved.',
} as const

const Span = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: text('When the first entry was made, ISO 8601.'),
    to: text('When the last entry was made.'),
  },
  additionalProperties: false,
  description: 'From when until when.',
} as const

const Witnessed = {
  type: 'object',
  required: ['quorum', 'met', 'by'],
  properties: {
    quorum: text('The witness or group that the policy asks for, or `none`.'),
    met: { type: 'boolean', description: 'Whether enough of them have cosigned.' },
    by: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'time'],
        properties: {
          name: text('Its name in the policy.'),
          time: text('When it cosigned, ISO 8601.'),
        },
        additionalProperties: false,
        description: 'A witness.',
      },
      description: 'Those whose cosignatures are good.',
    },
  },
  additionalProperties: false,
  description: 'What witnesses say of the checkpoint.',
} as const

const Signed = {
  type: 'object',
  required: ['people', 'senders'],
  properties: {
    people: count('Statements of people that their keys prove.'),
    senders: countOrNull(
      'Accepted handoffs that their senders have signed; null where that was not asked.',
    ),
  },
  additionalProperties: false,
  description: 'Entries that hold a good signature of somebody else than the gateway.',
} as const

const Receipt = {
  type: 'object',
  required: ['file', 'origin', 'index', 'digest', 'kind', 'state'],
  properties: {
    file: text('The file, from the root.'),
    origin: text('The log that gave it.'),
    index: count('The place that was promised.'),
    digest: text('The entry that was promised.'),
    kind: textOrNull('What the entry records; null where the file does not hold it.'),
    state: {
      enum: ['kept', 'pending', 'promised'],
      description:
        'Whether it stands under the checkpoint, waits for the next one, or is promised by a log that is not at hand.',
    },
  },
  additionalProperties: false,
  description: 'A promise that is kept, or one by a log that was not looked at.',
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
      'The folder of the log, from the root if it is below it, or postgres; null where only receipts were verified.',
    ),
    origin: textOrNull('The name of the log; null where it has no checkpoint that counts.'),
    size: { type: ['integer', 'null'], minimum: 0, description: 'How many entries it has.' },
    root: textOrNull('The root of its tree, in hex.'),
    covered: {
      anyOf: [Span, { type: 'null', description: 'No entry was read.' }],
      description: 'The time that the entries cover; null where none was read.',
    },
    signers: {
      type: 'array',
      items: text('One key.'),
      description: 'The trusted keys that signed the checkpoint, each as `<origin>+<id>`.',
    },
    keys: { type: 'array', items: Key, description: 'The keys that entries were signed with.' },
    counts: {
      type: 'object',
      required: [
        ...['entries', 'sent', 'accepted', 'needsInput', 'rejected', 'securityEvents'],
        ...['reconciliations', 'approvals', 'records', 'keyChanges', 'clockJumps', 'erasures'],
        ...['taskAnswers', 'writeBackDecisions', 'writeBackOutcomes', 'erased', 'pending'],
      ],
      properties: {
        entries: count('Entries under the checkpoint.'),
        sent: count('Handoffs that were sent.'),
        accepted: count('Handoffs that were accepted.'),
        needsInput: count('Handoffs for which something was missing.'),
        rejected: count('Handoffs that were rejected.'),
        securityEvents: count('Security events.'),
        reconciliations: count('Agents that a person let out of quarantine.'),
        approvals: count('Handoffs that a person approved or rejected.'),
        taskAnswers: count('Tasks of missions that a person answered.'),
        writeBackDecisions: count('Proposed write-backs that were approved or rejected.'),
        writeBackOutcomes: count('Approved write-backs that arrived, or were given up.'),
        records: count('Records that were taken in, such as resumes.'),
        keyChanges: count('Keys that were made, succeeded or revoked.'),
        clockJumps: count('Times that the clock was set.'),
        erasures: count('Records of an erasure.'),
        erased: count('Entries whose content was erased.'),
        pending: count('Entries that are promised and wait for a checkpoint.'),
      },
      additionalProperties: false,
      description: 'The result in figures; of a quick run, only the first and the last.',
    },
    erased: { type: 'array', items: Erased, description: 'The erased entries.' },
    guards: {
      type: 'array',
      items: {
        type: 'object',
        required: ['file', 'size'],
        properties: {
          file: text('Where it stands.'),
          size: count('How many entries it was signed for.'),
        },
        additionalProperties: false,
        description: 'A copy of a checkpoint outside the log that agrees with it.',
      },
      description: 'What the log was compared with.',
    },
    signed: {
      anyOf: [Signed, { type: 'null', description: 'No keys of people and agents were known.' }],
      description: 'What others than the gateway have signed; null where their keys are not known.',
    },
    witnessed: {
      anyOf: [Witnessed, { type: 'null', description: 'No policy names witnesses.' }],
      description: 'What witnesses say of the checkpoint; null where no policy names any.',
    },
    receipts: { type: 'array', items: Receipt, description: 'The receipts that are good.' },
    first: {
      anyOf: [Fault, { type: 'null', description: 'Nothing is wrong.' }],
      description: 'The first bad entry; else the first error; null where there is none.',
    },
    faults: { type: 'array', items: Fault, description: 'All that was found, at most 100.' },
    errors: count('How many errors there are, with those that are not told.'),
    warnings: count('How many warnings there are.'),
  },
  additionalProperties: false,
  title: 'Output of waybill log verify',
  description: 'Whether a log is what it says it is.',
} as const

/** One thing that is wrong with a log, or worth knowing. */
export type LogFault = TypeOf<typeof Fault>

/** What `log verify` answers. */
export type LogVerifyOutput = TypeOf<typeof schema>
export default schema
