import Type, { type Static } from 'typebox'
import { TIMESTAMP_PATTERN } from '../../document/index.ts'
import { Missions } from './missions.ts'

const Name = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

const Time = (description: string) =>
  Type.String({ pattern: TIMESTAMP_PATTERN, description, examples: ['2026-11-21T00:00:00Z'] })

const Age = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,4}[hd](?![\\s\\S])',
      description: `From this age in hours or days on, a document is ${what}.`,
      examples: ['24h', '7d'],
    }),
  )

const TrustEntry = Type.Object(
  {
    agent: Name('The canonical id of the agent that owns the key.'),
    gateway: Name('The origin of the log whose gateway signs with the key.'),
    log: Name('The origin of the log whose checkpoints the key signs.'),
    person: Name('The name of the person who owns the key.'),
    key: Type.String({
      minLength: 1,
      description:
        'The public key: base64 of an SPKI on P-256; for a log the verifier key of its notes; for a person also an SSH key.',
    }),
    from: Time('The start of its validity.'),
    until: Type.Optional(Time('The end of its validity, after it was replaced.')),
    revoked: Type.Optional(Time('The time from which its signatures are invalid.')),
  },
  {
    additionalProperties: false,
    description: 'A key and its owner: exactly one of agent, gateway, log and person.',
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
              description: 'Its severity in this repository.',
            }),
            reason: Type.String({
              minLength: 1,
              description: 'Why its severity differs here.',
            }),
          },
          { additionalProperties: false },
        ),
        { description: 'Rules with another severity in this repository, by code.' },
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
        { additionalProperties: false, description: 'The files that describe the agents.' },
      ),
    ),
    ledger: Type.Optional(
      Type.Enum(['file', 'postgres'], {
        description:
          'Where the ledger is stored: files in .waybill/ledger (default), or PostgreSQL.',
      }),
    ),
    trust: Type.Optional(
      Type.Array(TrustEntry, {
        description: 'The trusted keys and their owners; other keys are not trusted.',
      }),
    ),
    unsigned: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        uniqueItems: true,
        description: 'Agents whose handoffs are accepted without a signature.',
      }),
    ),
    people: Type.Optional(
      Type.Enum(['claimed', 'proved'], {
        description:
          'Whether a name is enough to answer a task, approve, reject, reconcile and erase, or a signature is required (default).',
      }),
    ),
    policies: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Path of the folder with your own policies (*.cedar).',
      }),
    ),
    witnesses: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Path of the file that lists the witnesses that cosign checkpoints (C2SP tlog-policy).',
      }),
    ),
    missions: Type.Optional(Missions),
    handoff: Type.Optional(
      Type.Enum(['note', 'document'], {
        description:
          'What waybill handoff writes (default: what the newest handoff is, else a note).',
      }),
    ),
    headings: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description:
          'Headings of your own in handoff notes, and the common name of each, such as Next Steps.',
      }),
    ),
    staleness: Type.Optional(
      Type.Object(
        {
          slightly: Age('slightly stale (default: 24h)'),
          stale: Age('stale, so that a person has to verify it (default: 72h)'),
          very: Age('very stale (default: 7d)'),
        },
        {
          additionalProperties: false,
          description: 'The classes of handoff documents by age.',
        },
      ),
    ),
    hooks: Type.Optional(
      Type.Object(
        {
          rules: Type.Optional(
            Type.Enum(['deny', 'ask'], {
              description:
                'What happens to a tool call that a standing rule is about: it is denied (default), or the user is asked.',
            }),
          ),
          failure: Type.Optional(
            Type.Enum(['open', 'closed'], {
              description:
                'What happens to a tool call that cannot be judged (default: closed with a session state or scoped rules, else open).',
            }),
          ),
          handoff: Type.Optional(
            Type.Enum(['ask', 'draft', 'off'], {
              description:
                'What happens when a session ends without a handoff: the agent is asked once, and a draft is written at the end (default); only the draft; or nothing.',
            }),
          ),
        },
        { additionalProperties: false, description: 'What hooks of coding agents do.' },
      ),
    ),
    ignore: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'Patterns, as in .gitignore, of files to skip while walking folders.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'Waybill configuration',
    description: 'The configuration of a repository: waybill.yaml at its root.',
  },
)

/** The schema of `waybill.yaml`. */
export type Config = Static<typeof schema>
export default schema
