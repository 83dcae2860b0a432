import { Report } from '../check/output.ts'
import { Quarantine } from '../lock/output.ts'
import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const { items: Diagnostic } = Report.properties.diagnostics

const Fault = {
  type: 'object',
  required: ['document', ...Diagnostic.required],
  properties: {
    document: { type: 'string', description: 'The document that it stands in, from the root.' },
    ...Diagnostic.properties,
  },
  additionalProperties: false,
  description: 'One thing that is wrong, and where.',
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
        'Whether the manifest lists it: once, by several agents that claim its id, or not; unknown where the manifest is at fault.',
    },
    type: {
      enum: ['domain', 'archetype', 'orchestrator', null],
      description:
        'What sort of agent it is by the manifest; null where it does not list exactly one such agent.',
    },
    file: {
      type: ['string', 'null'],
      description: "Its prompt by the manifest, from the manifest's folder; null as above.",
    },
    sound: { type: 'boolean', description: 'Whether no error is among the diagnostics.' },
    diagnostics: Faults('What there is to say about it, the manifest first.'),
  },
  additionalProperties: false,
  description: 'One agent about which there is something to say.',
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
  description: 'One document and what was decided about it.',
} as const

const schema = {
  type: 'object',
  required: ['accepted', 'manifest', 'lock', 'counts', 'quarantined', 'agents', 'general'],
  properties: {
    accepted: {
      type: 'boolean',
      description:
        'Whether every prompt is the one that was locked, and no agent is in quarantine.',
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
            'The document whose agents are counted: the lock, where the structure of the manifest is at fault.',
        },
        agents: count('How many agents that document lists.'),
        locked: count('How many entries the lock has.'),
        sound: count('Those of them that have an entry, and about which no error was found.'),
        changed: count('Agents whose prompt has other bytes than were locked.'),
        missing: count('Agents whose prompt is not there, cannot be read, or lies elsewhere.'),
        unlocked: count('Agents that have no entry.'),
        unlisted: count('Entries of nobody in the manifest.'),
        differing: count('Agents whose type, version or file is another one in the lock.'),
        stray: count('Files beside the prompts that are the prompt of no agent.'),
        errors: count('Errors in all, in both documents.'),
        warnings: count('Warnings in all.'),
      },
      additionalProperties: false,
      description: 'The result in figures.',
    },
    quarantined: Quarantine,
    agents: {
      type: 'array',
      items: Agent,
      description: 'Agents about which there is something to say, sorted by canonical id.',
    },
    general: Faults('What is about no one agent, such as the totals.'),
  },
  additionalProperties: false,
  title: 'Output of waybill lock verify',
  description: 'Whether the prompts are those that were locked, agent by agent.',
} as const

/** One thing that is wrong, and where. */
export type LockFault = TypeOf<typeof Fault>

/** One agent about which there is something to say. */
export type VerifiedAgent = TypeOf<typeof Agent>

/** What `lock verify` answers. */
export type LockVerifyOutput = TypeOf<typeof schema>
export default schema
