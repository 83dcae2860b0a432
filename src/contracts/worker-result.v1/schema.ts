import Type, { type Static } from 'typebox'
import { Content, missionArtifact, Score, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Citation = Type.Object(
  {
    kind: Words('The type of the source.'),
    ref: Words('The id of the source.'),
  },
  { description: 'A source of the result.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('worker_result'),
    task_id: Words('The task of the result.'),
    result_id: Words('The id of the result.'),
    output_text: Words('The result as text.'),
    structured_output: Content('The result as data, under keys that fit the task.'),
    citations: Type.Array(Citation, { description: 'The sources of the result.' }),
    confidence: Score('Confidence of the worker, from 0 to 1.'),
    tool_trace_refs: WordList('Ids of the tool calls.'),
  },
  { title: 'Worker result', description: 'The result of one worker for one task.' },
)

export type WorkerResult = Static<typeof schema>
export default schema
