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
    verified: { type: 'boolean', description: 'Whether it was the agent that it said it was.' },
    stated: textOrNull(
      'SHA-256 of its prompt as the handoff states it, in hex; null where it states none.',
    ),
    expected: textOrNull('The same as the lock pinned it.'),
    computed: textOrNull('The same of the prompt file.'),
  },
  additionalProperties: false,
  description: 'One agent, by the prompt that it had.',
} as const

const Step = {
  type: 'object',
  required: ['entry', 'via', 'prompts', 'policy'],
  properties: {
    entry: ListedEntry,
    via: textOrNull('What ties it to another step; null where the id names it itself.'),
    prompts: { type: 'array', items: Prompt, description: 'The prompts of its agents.' },
    policy: {
      anyOf: [
        {
          type: 'object',
          required: ['decision', 'by'],
          properties: {
            decision: text('What was decided.'),
            by: { type: 'array', items: text('Its id.'), description: 'The policies.' },
          },
          additionalProperties: false,
          description: 'What the policies decided.',
        },
        { type: 'null', description: 'They were not asked.' },
      ],
      description: 'What the policies decided, and which of them.',
    },
  },
  additionalProperties: false,
  description: 'One step of the way.',
} as const

const Approval = {
  type: 'object',
  required: ['index', 'by', 'standing', 'what'],
  properties: {
    index: index('The entry.'),
    by: textOrNull('Who.'),
    standing: {
      enum: ['proved', 'claimed', null],
      description: 'Whether a key shows who that is.',
    },
    what: textOrNull('What they said.'),
  },
  additionalProperties: false,
  description: 'What one person stated.',
} as const

const Refusal = {
  type: 'object',
  required: ['index', 'codes'],
  properties: {
    index: index('The entry.'),
    codes: { type: 'array', items: text('A code.'), description: 'Why.' },
  },
  additionalProperties: false,
  description: 'One refusal.',
} as const

const Mention = {
  type: 'object',
  required: ['path', 'line', 'contract'],
  properties: {
    path: text('The file, from the root.'),
    line: { type: 'integer', minimum: 1, description: 'Where it first stands there.' },
    contract: textOrNull('What the file is a document of, such as handoff-document.'),
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
    id: text('What was followed.'),
    kinds: {
      type: 'array',
      items: text('Such as `handoff`.'),
      description: 'What it is the id of.',
    },
    steps: { type: 'array', items: Step, description: 'What is recorded, in the order of time.' },
    approvals: {
      type: 'array',
      items: Approval,
      description: 'What people stated: approvals, reconciliations, erasures.',
    },
    refusals: { type: 'array', items: Refusal, description: 'Where it was refused.' },
    documents: {
      type: 'array',
      items: Mention,
      description: 'Files of the repository that name it.',
    },
    mission: MissionStory,
    as: { enum: ['text', 'svg'], description: 'How it was to be drawn.' },
    drawing: textOrNull('The story as SVG; null where text was asked for.'),
    more: { type: 'boolean', description: 'Whether there is more than was followed.' },
    near: {
      type: 'array',
      items: text('An id.'),
      description: 'Ids that may have been meant, where nothing was found.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill trace',
  description:
    'The way of something through the log: who handed what to whom, and what came of it.',
} as const

/** What `trace` answers. */
export type TraceOutput = Omit<TypeOf<typeof schema>, 'mission'> & {
  readonly mission: MissionStoryParts | null
}
export default schema
