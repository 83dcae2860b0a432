import Type, { type Static } from 'typebox'
import { TIMESTAMP_PATTERN } from '../../document/index.ts'
import { Missions } from './missions.ts'

const Name = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

const Time = (description: string) =>
  Type.String({ pattern: TIMESTAMP_PATTERN, description, examples: ['2026-11-21T00:00:00Z'] })

const TrustEntry = Type.Object(
  {
    agent: Name('The canonical id of the agent whose key it is.'),
    gateway: Name('The origin of the log whose gateway signs with it.'),
    log: Name('The origin of the log whose checkpoints it signs.'),
    person: Name('The name of the person whose key it is.'),
    key: Type.String({
      minLength: 1,
      description:
        'The public key: base64 of an SPKI on P-256; for a log the verifier key of its notes; for a person also an SSH key.',
    }),
    from: Time('When it begins to count.'),
    until: Type.Optional(Time('When it ends to count, for it has a successor.')),
    revoked: Type.Optional(Time('From when on nothing that it signs counts.')),
  },
  {
    additionalProperties: false,
    description: 'One key, and whose it is: exactly one of agent, gateway, log and person.',
  },
)

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
    ledger: Type.Optional(
      Type.Enum(['file', 'postgres'], {
        description: 'Where the ledger is kept: files in .waybill/ledger (default), or PostgreSQL.',
      }),
    ),
    trust: Type.Optional(
      Type.Array(TrustEntry, {
        description:
          'The keys that count, and whose they are; a key that is not here vouches for nothing.',
      }),
    ),
    unsigned: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        uniqueItems: true,
        description: 'Agents whose handoffs are taken without a signature.',
      }),
    ),
    people: Type.Optional(
      Type.Enum(['claimed', 'proved'], {
        description:
          'Whether a name is enough to answer a task, approve, reject, reconcile and erase, or a signature is needed (default).',
      }),
    ),
    policies: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Path of the folder with policies of your own (*.cedar).',
      }),
    ),
    witnesses: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Path of the file that says which witnesses cosign checkpoints (C2SP tlog-policy).',
      }),
    ),
    missions: Type.Optional(Missions),
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
