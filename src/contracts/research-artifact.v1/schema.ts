import Type, { type Static } from 'typebox'
import { missionArtifact, Score, WebUrl } from '../mission.ts'
import { StandardTime, Words } from '../shapes.ts'

const Hit = Type.Object(
  {
    title: Words('The title of the source.'),
    url: WebUrl('The absolute http or https URL of the source.'),
    snippet: Words('The relevant passage.'),
    source_type: Words('The type of the source.'),
    retrieved_at: StandardTime('When the source was retrieved.'),
    confidence: Score('Confidence in the source, from 0 to 1.'),
  },
  { description: 'A source found.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('research_artifact'),
    task_id: Words('The task that the research was done for.'),
    artifact_id: Words('The id of the artifact.'),
    provider: Words('The search service.'),
    query: Words('The search query.'),
    results: Type.Array(Hit, { description: 'The sources found.' }),
  },
  { title: 'Research artifact', description: 'External evidence with its sources.' },
)

export type ResearchArtifact = Static<typeof schema>
export default schema
