import { defineContract } from '../../contract/index.ts'
import type { LibrarianPass } from './schema.ts'

export default defineContract<LibrarianPass>({
  id: 'librarian-pass.v1',
  title: 'Librarian pass',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'librarian_pass',
    keys: ['pass_id', 'allowed_resource_families', 'recommended_queries', 'cached_previews'],
  },
  header: v => ({
    id: v.pass_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
