import Type, { type Static } from 'typebox'
import { Version } from '../agent-shapes.ts'
import { Named, Time, Words } from '../shapes.ts'

const OPEN = { additionalProperties: true }

const Collaboration = Type.Object(
  {
    hands_to: Type.Optional(
      Type.Array(Words('The canonical id of one agent.'), {
        description: 'Agents that it may hand over to, by their canonical ids.',
      }),
    ),
    out_of_scope: Type.Optional(
      Type.Array(
        Type.Object(
          {
            topic: Words('What the requests are about.'),
            redirect: Words('The canonical id of the agent that takes them.'),
          },
          { ...OPEN, description: 'One topic that it does not take, and who does.' },
        ),
        { description: 'Topics that it does not take, and who does.' },
      ),
    ),
  },
  { ...OPEN, $id: 'collaboration', description: 'With whom it works together.' },
)

const agent = {
  name: Words('What people call the agent.'),
  file: Words("Its prompt, as a path from the manifest's folder."),
  canonical_id: Words('The one id by which it is named everywhere; also its key here.'),
  version: Version('The version of its prompt.'),
  collaboration: Type.Optional(Collaboration),
}

const Domain = Type.Object(
  { ...agent, scope: Words('What it is there for, in words.') },
  { ...OPEN, $id: 'domain', description: 'One agent with a scope of its own.' },
)

const Archetype = Type.Object(
  {
    ...agent,
    composition: Named(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How much the domain counts, in whole percent.',
      }),
      'The 2 to 4 domains it is made of, with whole percentages that sum to 100.',
    ),
    purpose: Words('What it is composed for, in words.'),
  },
  { ...OPEN, description: 'One agent that is composed of domains.' },
)

const schema = Type.Object(
  {
    version: Words('Version of this manifest.'),
    generated: Time('When the manifest was written, with its zone.'),
    description: Words('What this set of agents is for.'),
    taxonomy: Type.Unknown({ description: 'How the domains are divided.' }),
    domains: Named(Domain, 'The domain agents, by their canonical ids.'),
    archetypes: Named(Archetype, 'The composed agents, by their canonical ids.'),
    orchestrators: Type.Optional(
      Named(Domain, 'Agents that pass work on between others, by their canonical ids.'),
    ),
    governance: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The rules of the house, under keys of your own.',
    }),
  },
  {
    ...OPEN,
    title: 'Prompt manifest',
    description: 'The agents of a repository: their prompts, compositions and boundaries.',
  },
)

/** The agents of a repository: their prompts, compositions and boundaries. */
export type PromptManifest = Static<typeof schema>
export default schema
