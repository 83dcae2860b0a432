import Type, { type Static } from 'typebox'
import { Digest, Kind, Version } from '../agent-shapes.ts'
import { Named, Time, Words } from '../shapes.ts'

const OPEN = { additionalProperties: true }

const Prompt = Type.Object(
  {
    file: Words(
      "The prompt file, relative to the manifest's folder, or to the root where only that exists.",
    ),
    hash: Digest("SHA-256 of the file's bytes, in lower-case hex."),
    type: Kind('The type of the agent.'),
    version: Version('The version of the prompt.'),
  },
  { ...OPEN, description: 'A locked prompt.' },
)

const Total = (description: string) => Type.Integer({ minimum: 0, description })

const schema = Type.Object(
  {
    version: Words('Version of this lock.'),
    lockfileVersion: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      description: 'Version of the lock format.',
    }),
    generated: Time('When the lock was written, with its zone.'),
    description: Type.Optional(Type.String({ description: 'The purpose of the lock.' })),
    algorithm: Type.Literal('SHA-256', { description: 'The hash algorithm.' }),
    prompts: Named(Prompt, 'Every prompt, by the canonical id of its agent.'),
    integrity: Type.Object(
      {
        total_prompts: Total('The number of locked prompts, including orchestrators.'),
        domains: Total('The number of locked domains.'),
        archetypes: Total('The number of locked archetypes.'),
      },
      { ...OPEN, description: 'The number of locked prompts.' },
    ),
  },
  {
    ...OPEN,
    title: 'Prompt lock',
    description: 'The prompts of a manifest, pinned by the hash of their bytes.',
  },
)

export type PromptLock = Static<typeof schema>
export default schema
