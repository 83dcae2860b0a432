import Type, { type Static } from 'typebox'
import { missionArtifact, WordList } from '../mission.ts'
import { StandardTime, Words } from '../shapes.ts'

const Query = Type.Object(
  {
    tool: Words('The tool to query.'),
    query: Words('The query.'),
  },
  { description: 'A recommended query.' },
)

const Preview = Type.Object(
  {
    label: Words('The title of the preview.'),
    entity_type: Words('The type of its entity.'),
    entity_id: Words('The id of its entity.'),
    preview: Words('The content of the preview.'),
  },
  { description: 'Cached data that the worker need not look up.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('librarian_pass'),
    task_id: Words('The task that the pass is for.'),
    pass_id: Words('The id of the pass.'),
    allowed_resource_families: WordList('Families of internal resources that the worker may read.'),
    recommended_queries: Type.Array(Query, { description: 'Recommended queries.' }),
    cached_previews: Type.Array(Preview, {
      description: 'Cached data that the worker need not look up.',
    }),
    expires_at: StandardTime('When the pass expires.'),
  },
  {
    title: 'Librarian pass',
    description: 'The internal resources that a worker may read, and where to start.',
  },
)

export type LibrarianPass = Static<typeof schema>
export default schema
