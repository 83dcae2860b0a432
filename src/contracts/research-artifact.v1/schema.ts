import Type, { type Static } from 'typebox'
import { missionArtifact, Score, WebUrl } from '../mission.ts'
import { Time, Words } from '../shapes.ts'

const Hit = Type.Object(
  {
    title: Words('What the source is called.'),
    url: WebUrl('Where the source is, an absolute http or https URL.'),
    snippet: Words('The passage that matters.'),
    source_type: Words('What sort of source it is.'),
    retrieved_at: Time('When the source was read.'),
    confidence: Score('How far the source can be trusted, from 0 to 1.'),
  },
  { description: 'One source that was found.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('research_artifact'),
    task_id: Words('The task that the research was done for.'),
    artifact_id: Words('What the artifact is called.'),
    provider: Words('The service that was searched.'),
    query: Words('What was searched for.'),
    results: Type.Array(Hit, { description: 'What was found.' }),
  },
  { title: 'Research artifact', description: 'Evidence from outside, with where it was found.' },
)

/** Evidence from outside, with where it was found. */
export type ResearchArtifact = Static<typeof schema>
export default schema
