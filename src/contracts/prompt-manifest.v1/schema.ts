import Type, { type Static } from 'typebox'
import { Version } from '../agent-shapes.ts'
import { Named, Time, Words } from '../shapes.ts'

const OPEN = { additionalProperties: true }

const Collaboration = Type.Object(
  {
    hands_to: Type.Optional(
      Type.Array(Words('The canonical id of an agent.'), {
        description: 'Agents that it may hand over to, by their canonical ids.',
      }),
    ),
    out_of_scope: Type.Optional(
      Type.Array(
        Type.Object(
          {
            topic: Words('The topic.'),
            redirect: Words('The canonical id of the agent that handles it.'),
          },
          { ...OPEN, description: 'A topic that it does not handle, and the agent that does.' },
        ),
        { description: 'Topics that it does not handle, and the agents that do.' },
      ),
    ),
  },
  { ...OPEN, $id: 'collaboration', description: 'The agents that it works with.' },
)

const agent = {
  name: Words('The display name of the agent.'),
  file: Words(
    "Its prompt file, relative to the manifest's folder, or to the root where only that exists.",
  ),
  canonical_id: Words('Its id everywhere, and its key here.'),
  version: Version('The version of its prompt.'),
  collaboration: Type.Optional(Collaboration),
}

const Domain = Type.Object(
  { ...agent, scope: Words('Its scope in words.') },
  { ...OPEN, $id: 'domain', description: 'An agent with its own scope.' },
)

const Archetype = Type.Object(
  {
    ...agent,
    composition: Named(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'The share of the domain, in whole percent.',
      }),
      'Its 2 to 4 domains, with whole percentages that sum to 100.',
    ),
    purpose: Words('Its purpose in words.'),
  },
  { ...OPEN, description: 'An agent composed of domains.' },
)

const schema = Type.Object(
  {
    version: Words('Version of this manifest.'),
    generated: Time('When the manifest was written, with its zone.'),
    description: Words('The purpose of this set of agents.'),
    taxonomy: Type.Unknown({ description: 'How the domains are divided.' }),
    domains: Named(Domain, 'The domain agents, by their canonical ids.'),
    archetypes: Named(Archetype, 'The composed agents, by their canonical ids.'),
    orchestrators: Type.Optional(
      Named(Domain, 'Agents that route work between others, by their canonical ids.'),
    ),
    governance: Type.Record(Type.String(), Type.Unknown(), {
      description: 'House rules, under keys of your choice.',
    }),
  },
  {
    ...OPEN,
    title: 'Prompt manifest',
    description: 'The agents of a repository: their prompts, compositions and boundaries.',
  },
)

export type PromptManifest = Static<typeof schema>
export default schema
