import Type, { type Static } from 'typebox'
import { missionArtifact, WordList } from '../mission.ts'
import { Time, Words } from '../shapes.ts'

const Query = Type.Object(
  {
    tool: Words('The tool to ask.'),
    query: Words('What to ask it.'),
  },
  { description: 'One query worth asking.' },
)

const Preview = Type.Object(
  {
    label: Words('What the preview shows.'),
    entity_type: Words('What sort of thing it is about.'),
    entity_id: Words('The thing it is about.'),
    preview: Words('The preview itself.'),
  },
  { description: 'One thing that the worker need not look up.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('librarian_pass'),
    task_id: Words('The task that the pass is for.'),
    pass_id: Words('What the pass is called.'),
    allowed_resource_families: WordList('Families of internal resources that the worker may read.'),
    recommended_queries: Type.Array(Query, { description: 'Queries worth asking.' }),
    cached_previews: Type.Array(Preview, { description: 'What the worker need not look up.' }),
    expires_at: Time('When the pass ends.'),
  },
  {
    title: 'Librarian pass',
    description: 'Which internal resources a worker may read, and where to begin.',
  },
)

/** Which internal resources a worker may read, and where to begin. */
export type LibrarianPass = Static<typeof schema>
export default schema
