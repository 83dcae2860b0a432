import Type, { type Static } from 'typebox'
import { Content, missionArtifact, Score, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Citation = Type.Object(
  {
    kind: Words('What sort of source it is.'),
    ref: Words('The id of the source.'),
  },
  { description: 'One source that the result rests on.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('worker_result'),
    task_id: Words('The task that was done.'),
    result_id: Words('What the result is called.'),
    output_text: Words('The result in words.'),
    structured_output: Content('The result as data, under keys that fit the task.'),
    citations: Type.Array(Citation, { description: 'What the result rests on.' }),
    confidence: Score('How sure the worker is, from 0 to 1.'),
    tool_trace_refs: WordList('Ids of the tool calls that were made.'),
  },
  { title: 'Worker result', description: 'What one worker found out in one task.' },
)

/** What one worker found out in one task. */
export type WorkerResult = Static<typeof schema>
export default schema
