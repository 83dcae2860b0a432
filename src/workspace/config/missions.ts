import Type from 'typebox'
import { RUNNERS, WHAT_RUNS } from './runners.generated.ts'

const Text = (description: string) => Type.String({ minLength: 1, description })
const Texts = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { description, minItems: 1 })
const Named = <const T extends Parameters<typeof Type.Object>[0]>(parts: T, description: string) =>
  Type.Object(parts, { additionalProperties: false, description })

const Environment = Type.Optional(
  Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*(?![\\s\\S])' }), {
    description: 'Names of the environment variables to pass on; no others are.',
  }),
)

const Runner = Named(
  {
    runner: Type.Enum(RUNNERS, { description: WHAT_RUNS }),
    command: Type.Optional(
      Texts('The program and its arguments; it starts at the root of the repository.'),
    ),
    environment: Environment,
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 604_800, description: 'Timeout in seconds.' }),
    ),
    bytes: Type.Optional(
      Type.Integer({ minimum: 1024, description: 'Most bytes that a program may write.' }),
    ),
    route: Type.Optional(Text('The model if the prompt package names none: a key of `models`.')),
    steps: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Most rounds of tool calls of a model.',
      }),
    ),
    url: Type.Optional(Text('The URL of the card of a remote agent, or of its interface.')),
    token: Type.Optional(Text('The environment variable with its bearer token.')),
  },
  'How an agent runs.',
)

const Model = Named(
  {
    provider: Type.Enum(['openai-compatible', 'anthropic'], {
      description: 'The protocol it speaks.',
    }),
    model: Text("The provider's name of the model."),
    url: Type.Optional(Text('The base URL of its API; by default that of the provider.')),
    key: Type.Optional(Text('The environment variable with its key.')),
  },
  'A model that prompt packages name by route.',
)

const Server = Named(
  {
    command: Type.Optional(
      Texts('The program and its arguments; it speaks MCP over standard input and output.'),
    ),
    environment: Environment,
    url: Type.Optional(Text('The streamable HTTP endpoint of a remote server.')),
    token: Type.Optional(Text('The environment variable with its bearer token.')),
  },
  'An MCP tool server: either a command or a URL.',
)

const Tool = Named(
  {
    server: Text('Its server: a key of `servers`.'),
    name: Type.Optional(Text("The server's name of the tool, if different.")),
    bytes: Type.Optional(
      Type.Integer({ minimum: 256, description: 'Most bytes of a result that an agent gets.' }),
    ),
    families: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Resource families that it reaches with any arguments; empty if it reaches none.',
      }),
    ),
    places: Type.Optional(
      Texts('Arguments that name the place it reads: a key of `places`, or a path below one.'),
    ),
  },
  'A tool for missions.',
)

const WriteBack = Named(
  {
    webhook: Type.Optional(Text('The URL that approved proposals are posted to.')),
    secret: Type.Optional(Text('The environment variable with the secret that signs them.')),
    function: Type.Optional(
      Text('The database function that receives a proposal, as schema and name.'),
    ),
  },
  'The destination of approved proposals: a webhook, signed as in Standard Webhooks, or a function.',
)

/** The `missions` section of `waybill.yaml`. */
export const Missions = Named(
  {
    orchestrator: Text('The canonical id of the agent that hands over the tasks.'),
    roles: Type.Record(Type.String(), Text('The canonical id of an agent.'), {
      description: 'The agent for each role.',
    }),
    runners: Type.Record(Type.String(), Runner, {
      description: 'How each agent runs, by canonical id.',
    }),
    models: Type.Optional(
      Type.Record(Type.String(), Model, {
        description: 'Models, by the route names of packages.',
      }),
    ),
    servers: Type.Optional(Type.Record(Type.String(), Server, { description: 'Tool servers.' })),
    tools: Type.Optional(
      Type.Record(Type.String(), Tool, { description: 'Tools, by their names in missions.' }),
    ),
    places: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), Text('The resource family of the place.'), {
        description: 'Folders, addresses or names of resources, each with its resource family.',
      }),
    ),
    templates: Type.Optional(
      Text('The folder of mission and prompt templates (default: missions/templates).'),
    ),
    writebacks: Type.Optional(
      Type.Record(Type.String(), WriteBack, {
        description: 'Destinations of approved proposals, by action type; `*` for all others.',
      }),
    ),
  },
  'How missions run in this repository.',
)
