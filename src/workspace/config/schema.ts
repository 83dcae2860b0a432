import Type, { type Static } from 'typebox'

const schema = Type.Object(
  {
    rules: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          {
            severity: Type.Enum(['off', 'info', 'warning', 'error'], {
              description: 'What it weighs here.',
            }),
            reason: Type.String({
              minLength: 1,
              description: 'Why it weighs something else here.',
            }),
          },
          { additionalProperties: false },
        ),
        { description: 'Rules that weigh something else in this repository, by code.' },
      ),
    ),
    agents: Type.Optional(
      Type.Object(
        {
          manifest: Type.Optional(
            Type.String({ minLength: 1, description: 'Path of the prompt manifest.' }),
          ),
          lock: Type.Optional(
            Type.String({ minLength: 1, description: 'Path of the prompt lockfile.' }),
          ),
        },
        { additionalProperties: false, description: 'Where the agents are described.' },
      ),
    ),
    ignore: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'Patterns, as in .gitignore, of files to pass over while walking folders.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'Waybill configuration',
    description: 'What a repository says about how Waybill works in it: waybill.yaml at its root.',
  },
)

/** What `waybill.yaml` may say. */
export type Config = Static<typeof schema>
export default schema
