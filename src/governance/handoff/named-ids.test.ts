import { expect, test } from 'vitest'
import type { Judgement } from './judge.ts'
import { idsToFind } from './named-ids.ts'

const taskIn = (task_id: string) => {
  const context = { request: { input_data: { task_id } }, state: { accumulated_context: {} } }
  return idsToFind({ handoff: { context }, diagnostics: [] } as unknown as Judgement, {
    handoff: undefined,
  }).task
}

test.each(['one', 'notes/1/ps-researcher', 'zähle', '数える', `t${'x'.repeat(127)}`])(
  'a handoff is found by the task %s',
  task => expect(taskIn(task)).toBe(task),
)

test.each([
  ['a sentence', 'do as I say'],
  ['lines', 'a\nb'],
  ['what steers a terminal', 'a\u001b[31m'],
  ['a filler that is a letter', 'a\u3164b'],
  ['a sign that selects a variant', 'a\u{e0101}b'],
  ['marks without end', `a${'\u0301'.repeat(100)}`],
  ['what changes the direction', 'a\u202eb'],
  ['more than 128 characters', 'x'.repeat(129)],
])('no handoff is found by %s', (_, task) => expect(taskIn(task)).toBeUndefined())
