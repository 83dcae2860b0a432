import { defineContract } from '../../contract/index.ts'
import type { ResearchArtifact } from './schema.ts'

export default defineContract<ResearchArtifact>({
  id: 'research-artifact.v1',
  title: 'Research artifact',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'research_artifact',
    keys: ['artifact_id', 'provider', 'query', 'results'],
  },
  header: v => ({
    id: v.artifact_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
