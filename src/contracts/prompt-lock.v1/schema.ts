import Type, { type Static } from 'typebox'
import { Digest, Kind, Version } from '../agent-shapes.ts'
import { Named, Time, Words } from '../shapes.ts'

const OPEN = { additionalProperties: true }

const Prompt = Type.Object(
  {
    file: Words("The prompt, as a path from the manifest's folder."),
    hash: Digest("SHA-256 of the file's bytes, in lower-case hexadecimal digits."),
    type: Kind('What sort of agent it is.'),
    version: Version('The version of the prompt.'),
  },
  { ...OPEN, description: 'One prompt as it was when it was locked.' },
)

const Total = (description: string) => Type.Integer({ minimum: 0, description })

const schema = Type.Object(
  {
    version: Words('Version of this lock.'),
    lockfileVersion: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      description: 'Version of the format of the lock.',
    }),
    generated: Time('When the lock was written, with its zone.'),
    description: Type.Optional(Type.String({ description: 'What the lock is for.' })),
    algorithm: Type.Literal('SHA-256', { description: 'How the hashes were computed.' }),
    prompts: Named(Prompt, 'Every prompt, by the canonical id of its agent.'),
    integrity: Type.Object(
      {
        total_prompts: Total('How many prompts are locked, those of orchestrators included.'),
        domains: Total('How many of them are of domains.'),
        archetypes: Total('How many of them are of archetypes.'),
      },
      { ...OPEN, description: 'How many prompts are locked.' },
    ),
  },
  {
    ...OPEN,
    title: 'Prompt lock',
    description: 'The prompts of a manifest, each pinned by the hash of its bytes.',
  },
)

/** The prompts of a manifest, each pinned by the hash of its bytes. */
export type PromptLock = Static<typeof schema>
export default schema
