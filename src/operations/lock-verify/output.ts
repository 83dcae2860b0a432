import { Report } from '../check/output.ts'
import { Quarantine } from '../lock/output.ts'
import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const { items: Diagnostic } = Report.properties.diagnostics

const Fault = {
  type: 'object',
  required: ['document', ...Diagnostic.required],
  properties: {
    document: { type: 'string', description: 'Path of the document from the root.' },
    ...Diagnostic.properties,
  },
  additionalProperties: false,
  description: 'One problem and its location.',
} as const

const Faults = (description: string) => ({ type: 'array', items: Fault, description }) as const

const Agent = {
  type: 'object',
  required: ['id', 'manifest', 'type', 'file', 'sound', 'diagnostics'],
  properties: {
    id: { type: 'string', description: 'The canonical id.' },
    manifest: {
      enum: ['listed', 'ambiguous', 'unlisted', 'unknown'],
      description:
        'Whether the manifest lists it once, several times, or not; unknown if the manifest is invalid.',
    },
    type: {
      enum: ['domain', 'archetype', 'orchestrator', null],
      description: 'The type of the agent in the manifest; null unless it lists exactly one.',
    },
    file: {
      type: ['string', 'null'],
      description:
        "Path of its prompt from the manifest's folder, or from the root; null as above.",
    },
    sound: { type: 'boolean', description: 'Whether it has no error.' },
    diagnostics: Faults('Its diagnostics, those of the manifest first.'),
  },
  additionalProperties: false,
  description: 'One agent with diagnostics.',
} as const

const Checked = {
  type: 'object',
  required: ['path', 'accepted', 'notRun', 'suppressed'],
  properties: {
    path: Report.properties.path,
    accepted: Report.properties.accepted,
    notRun: Report.properties.notRun,
    suppressed: Report.properties.suppressed,
  },
  additionalProperties: false,
  description: 'The report on one document.',
} as const

const schema = {
  type: 'object',
  required: ['accepted', 'manifest', 'lock', 'counts', 'quarantined', 'agents', 'general'],
  properties: {
    accepted: {
      type: 'boolean',
      description: 'Whether every prompt matches the lock, and no agent is in quarantine.',
    },
    manifest: Checked,
    lock: Checked,
    counts: {
      type: 'object',
      required: [
        'from',
        'agents',
        'locked',
        'sound',
        'changed',
        'missing',
        'unlocked',
        'unlisted',
        'differing',
        'stray',
        'errors',
        'warnings',
      ],
      properties: {
        from: {
          enum: ['manifest', 'lock'],
          description:
            'The document whose agents are counted: the lock, if the structure of the manifest is invalid.',
        },
        agents: count('Number of agents in that document.'),
        locked: count('Number of entries in the lock.'),
        sound: count('Number of agents with an entry and without errors.'),
        changed: count('Number of agents whose prompt differs from the locked version.'),
        missing: count(
          'Number of agents whose prompt is missing, unreadable, or outside the repository.',
        ),
        unlocked: count('Number of agents without an entry.'),
        unlisted: count('Number of entries whose agent is not in the manifest.'),
        differing: count('Number of agents whose type, version or file differs in the lock.'),
        stray: count('Number of files next to the prompts that are the prompt of no agent.'),
        errors: count('Total number of errors in both documents.'),
        warnings: count('Total number of warnings.'),
      },
      additionalProperties: false,
      description: 'The totals.',
    },
    quarantined: Quarantine,
    agents: {
      type: 'array',
      items: Agent,
      description: 'Agents with diagnostics, sorted by canonical id.',
    },
    general: Faults('Diagnostics that concern no single agent, such as the totals.'),
  },
  additionalProperties: false,
  title: 'Output of waybill lock verify',
  description: 'The verification of the prompts, by agent.',
} as const

/** One problem and its location. */
export type LockFault = TypeOf<typeof Fault>

/** One agent with diagnostics. */
export type VerifiedAgent = TypeOf<typeof Agent>

/** The output of `lock verify`. */
export type LockVerifyOutput = TypeOf<typeof schema>
export default schema
