import { type Assignment, answer, readAssignment } from './assignment.ts'
import { at, FAMILIES, type Hit, type Library, openLibrary } from './library.ts'
import { wordsOf } from './words.ts'

/** Where the files of the repository can be read by people. */
const SITE = 'https://nudge.example/blob/main'
const MOST_FILES = 10
const MOST_LINES = 2
/** A pass is for one piece of work, not for the day. */
const PASS_LASTS = 30 * 60_000
/** How a task says who gets a pass for what. */
const GRANT = /^The task ([a-z_]+) gets a pass for ([a-z_., ]+), and for nothing else[.]$/

const assignment = await readAssignment()
const library = openLibrary(assignment)
if (assignment.task.role_type === 'researcher') answer(await research(assignment, library))
else answer(...(await passes(assignment, library)))

/** What the documents and contexts say about the goal, the best places first. */
async function research({ mission }: Assignment, { search }: Library): Promise<object> {
  const words = wordsOf(mission.normalized_goal)
  const found = [await search(words, 'docs'), await search(words, 'contexts')].flat()
  const retrieved = new Date().toISOString()
  const results = bestFiles(found).map(hit => ({
    title: hit.path,
    url: `${SITE}/${hit.path}#L${hit.line}`,
    snippet: hit.text,
    source_type: hit.path.startsWith('docs/') ? 'document' : 'session_context',
    retrieved_at: retrieved,
    confidence: Number((hit.words.length / words.length).toFixed(2)),
  }))
  const query = words.join(' ')
  return { schema_name: 'research_artifact', provider: 'repository_search', query, results }
}

/** The best lines of the files that hold the most of the words. */
function bestFiles(hits: readonly Hit[]): Hit[] {
  const files = [...new Set(hits.map(({ path }) => path))].map(path => {
    const its = hits.filter(hit => hit.path === path)
    return { its, words: new Set(its.flatMap(({ words }) => words)).size }
  })
  return files
    .toSorted((a, b) => b.words - a.words || b.its.length - a.its.length)
    .slice(0, MOST_FILES)
    .flatMap(({ its }) => bestOf(its, MOST_LINES))
}

function bestOf(hits: readonly Hit[], most: number): Hit[] {
  return hits.toSorted((a, b) => b.words.length - a.words.length).slice(0, most)
}

/** One pass for each task that is named: for what it may see, and no more. */
async function passes({ task }: Assignment, library: Library): Promise<object[]> {
  const grants = task.success_criteria.map(criterion => GRANT.exec(criterion))
  return Promise.all(
    grants.flatMap(grant => {
      const [, worker, families] = grant ?? []
      return worker && families ? [pass(worker, families.split(', '), library)] : []
    }),
  )
}

async function pass(worker: string, families: readonly string[], library: Library) {
  const words = wordsOf(worker.replaceAll('_', ' ')).concat('night', 'quiet')
  const known = families.flatMap(family => FAMILIES[family] ?? [])
  const found = await Promise.all(known.map(folder => library.search(words, folder)))
  const now = Date.now()
  return {
    schema_name: 'librarian_pass',
    task_id: worker,
    allowed_resource_families: families.filter(family => FAMILIES[family] !== undefined),
    recommended_queries: known.map(folder => ({
      tool: 'repository_search',
      query: `${words.join(' ')} (under ${folder})`,
    })),
    cached_previews: found.flatMap(hits =>
      bestOf(hits, 1).map(({ path, line, text }) => ({
        label: path,
        entity_type: 'line',
        entity_id: at(path, line),
        preview: text,
      })),
    ),
    expires_at: new Date(now + PASS_LASTS).toISOString(),
  }
}
