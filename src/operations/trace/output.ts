import { ListedEntry, LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'
import { MissionStory, type MissionStoryParts } from './mission-output.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const index = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const Prompt = {
  type: 'object',
  required: ['agent', 'verified', 'stated', 'expected', 'computed'],
  properties: {
    agent: text('Its canonical id.'),
    verified: { type: 'boolean', description: 'Whether its identity was verified.' },
    stated: textOrNull('The SHA-256 of its prompt in the handoff, in hex; null when not stated.'),
    expected: textOrNull('The same in the lock.'),
    computed: textOrNull('The same of the prompt file.'),
  },
  additionalProperties: false,
  description: 'One agent and its prompt.',
} as const

const Step = {
  type: 'object',
  required: ['entry', 'via', 'prompts', 'policy'],
  properties: {
    entry: ListedEntry,
    via: textOrNull('What links it to another step; null when it contains the id.'),
    prompts: { type: 'array', items: Prompt, description: 'The prompts of its agents.' },
    policy: {
      anyOf: [
        {
          type: 'object',
          required: ['decision', 'by'],
          properties: {
            decision: text('The decision.'),
            by: { type: 'array', items: text('Its id.'), description: 'The policies.' },
          },
          additionalProperties: false,
          description: 'The policy decision.',
        },
        { type: 'null', description: 'The policies were not evaluated.' },
      ],
      description: 'The policy decision and the policies that determined it.',
    },
  },
  additionalProperties: false,
  description: 'One step.',
} as const

const Approval = {
  type: 'object',
  required: ['index', 'by', 'standing', 'what'],
  properties: {
    index: index('The entry.'),
    by: textOrNull('The person.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key proves the name.',
    },
    what: textOrNull('The statement.'),
  },
  additionalProperties: false,
  description: 'One statement of a person.',
} as const

const Refusal = {
  type: 'object',
  required: ['index', 'codes'],
  properties: {
    index: index('The entry.'),
    codes: { type: 'array', items: text('A code.'), description: 'The reasons.' },
  },
  additionalProperties: false,
  description: 'One refusal.',
} as const

const Mention = {
  type: 'object',
  required: ['path', 'line', 'contract'],
  properties: {
    path: text('The file, from the root.'),
    line: { type: 'integer', minimum: 1, description: 'The first line with the id.' },
    contract: textOrNull('The contract of the file, such as handoff-document.'),
  },
  additionalProperties: false,
  description: 'One file.',
} as const

const schema = {
  type: 'object',
  required: [
    ...['origin', 'size', 'id', 'kinds', 'steps', 'approvals', 'refusals', 'documents'],
    ...['mission', 'more', 'near', 'as', 'drawing'],
  ],
  properties: {
    ...LogFacts,
    id: text('The traced id.'),
    kinds: {
      type: 'array',
      items: text('Such as `handoff`.'),
      description: 'The kinds of things with this id.',
    },
    steps: { type: 'array', items: Step, description: 'The log entries, in order of time.' },
    approvals: {
      type: 'array',
      items: Approval,
      description: 'Statements by people: approvals, reconciliations, erasures.',
    },
    refusals: { type: 'array', items: Refusal, description: 'The refusals.' },
    documents: {
      type: 'array',
      items: Mention,
      description: 'Files of the repository that contain the id.',
    },
    mission: MissionStory,
    as: { enum: ['text', 'svg'], description: 'The requested format.' },
    drawing: textOrNull('The graph as SVG; null for text.'),
    more: { type: 'boolean', description: 'Whether there are more entries than the limit.' },
    near: {
      type: 'array',
      items: text('An id.'),
      description: 'Similar ids, when nothing was found.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill trace',
  description: 'Everything recorded about an id: its handoffs and their results.',
} as const

/** The output of `trace`. */
export type TraceOutput = Omit<TypeOf<typeof schema>, 'mission'> & {
  readonly mission: MissionStoryParts | null
}
export default schema
