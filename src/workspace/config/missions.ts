import Type from 'typebox'

const Text = (description: string) => Type.String({ minLength: 1, description })
const Texts = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { description, minItems: 1 })
const Named = <const T extends Parameters<typeof Type.Object>[0]>(parts: T, description: string) =>
  Type.Object(parts, { additionalProperties: false, description })

const Environment = Type.Optional(
  Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*(?![\\s\\S])' }), {
    description: 'Variables of the environment that are passed on, by name; no other is.',
  }),
)

const Runner = Named(
  {
    runner: Type.Enum(['command', 'model', 'a2a', 'human'], {
      description:
        'A program of this machine, a language model, an agent elsewhere that speaks A2A 1.0, or a person.',
    }),
    command: Type.Optional(
      Texts('The program and its arguments; it is started at the root of the repository.'),
    ),
    environment: Environment,
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 604_800, description: 'After so many it is ended.' }),
    ),
    bytes: Type.Optional(
      Type.Integer({ minimum: 1024, description: 'How much a program may write.' }),
    ),
    route: Type.Optional(
      Text('Which model, where the prompt package names none: a key of `models`.'),
    ),
    steps: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'How often a model may call tools.' }),
    ),
    url: Type.Optional(Text('Where the card of a remote agent stands, or its interface.')),
    token: Type.Optional(Text('The variable of the environment that holds its bearer token.')),
  },
  'What runs an agent.',
)

const Model = Named(
  {
    provider: Type.Enum(['openai-compatible', 'anthropic'], {
      description: 'Whose protocol it speaks.',
    }),
    model: Text('The name of the model, as its provider calls it.'),
    url: Type.Optional(Text('Where its interface begins; that of the provider when absent.')),
    key: Type.Optional(Text('The variable of the environment that holds its key.')),
  },
  'A model that prompt packages name by route.',
)

const Server = Named(
  {
    command: Type.Optional(
      Texts('The program and its arguments; it speaks MCP over standard input and output.'),
    ),
    environment: Environment,
    url: Type.Optional(Text('The streamable HTTP endpoint of one that runs elsewhere.')),
    token: Type.Optional(Text('The variable of the environment that holds its bearer token.')),
  },
  'A server of tools, over MCP: either a command or a URL.',
)

const Tool = Named(
  {
    server: Text('Which server has it: a key of `servers`.'),
    name: Type.Optional(Text('What the server calls it, where that is something else.')),
    bytes: Type.Optional(
      Type.Integer({ minimum: 256, description: 'How much of a result an agent is given.' }),
    ),
    families: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Families of resources that it reaches whatever it is asked; an empty list is of one that reaches none.',
      }),
    ),
    places: Type.Optional(
      Texts('Arguments that name where it reads: a key of `places`, or what lies below one.'),
    ),
  },
  'A tool that missions may name.',
)

const WriteBack = Named(
  {
    webhook: Type.Optional(Text('The address that approved proposals are posted to.')),
    secret: Type.Optional(Text('The variable of the environment with the secret that signs them.')),
    function: Type.Optional(
      Text('The function of the database that takes a proposal, by schema and name.'),
    ),
  },
  'Where approved proposals go: either a webhook, signed as Standard Webhooks are, or a function.',
)

/** What `waybill.yaml` says about missions. */
export const Missions = Named(
  {
    orchestrator: Text('The agent that hands the tasks over, by its canonical id.'),
    roles: Type.Record(Type.String(), Text('The canonical id of an agent.'), {
      description: 'Which agent does the tasks of a role.',
    }),
    runners: Type.Record(Type.String(), Runner, {
      description: 'What runs each agent, by its canonical id.',
    }),
    models: Type.Optional(
      Type.Record(Type.String(), Model, {
        description: 'Models, by the routes that packages name.',
      }),
    ),
    servers: Type.Optional(
      Type.Record(Type.String(), Server, { description: 'Servers of tools.' }),
    ),
    tools: Type.Optional(
      Type.Record(Type.String(), Tool, { description: 'Tools, as missions name them.' }),
    ),
    places: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), Text('The family of resources that lies there.'), {
        description:
          'Folders, addresses or names under which resources lie, each with their family.',
      }),
    ),
    templates: Type.Optional(
      Text('The folder of mission and prompt templates (default: missions/templates).'),
    ),
    writebacks: Type.Optional(
      Type.Record(Type.String(), WriteBack, {
        description: 'Where approved proposals go, by action type; `*` for every other.',
      }),
    ),
  },
  'How missions run in this repository.',
)
