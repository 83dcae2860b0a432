import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MissionEnvelope, MissionTaskGraph, PromptPackage } from '../src/contracts/index.ts'
import type { Assignment, Outcome, RunContext, Runner, Usage } from '../src/mission/runner.ts'
import { envelopeOf, exampleOf, graphOf, MISSION } from './mission-payloads.ts'
import { comesTrue } from './processes.ts'

/** How an agent behaves that a runner of some sort gives work to. */
export type Behaviour =
  | {
      readonly does: 'answers'
      /** Its words, as they are. */
      readonly text: string
      readonly usage?: Usage
    }
  /** It begins, and never ends by itself. */
  | { readonly does: 'hangs' }
  /** It begins, and answers without an end. */
  | { readonly does: 'floods' }
  /** It says that it cannot do it, in these words. */
  | { readonly does: 'fails'; readonly saying: string }

/** A sort of runner, and agents for it. */
export interface RunnerSort {
  readonly name: string
  open(behaviour: Behaviour): Promise<Opened>
  /** Names of hostile answers that cannot come up here: something else has read them before. */
  readonly without?: readonly string[]
}

/** A runner, and an agent that it gives its work to. */
export interface Opened {
  readonly runner: Runner
  readonly runContext: Omit<RunContext, 'signal'>
  /** How often the agent has begun. */
  begun(): number
  /** All that the agent received. */
  received(): string
  /** What is there of the agent's work: processes, connections. */
  left(): readonly unknown[]
  close(): Promise<void>
}

/** What one gives to an agent in tests: the second task of a graph of two. */
export function assignmentOf(more: Partial<Assignment> = {}): Assignment {
  const graph = graphOf(MISSION, { first: [], second: ['first'] }) as unknown as MissionTaskGraph
  const [, task] = graph.tasks
  if (!task) throw new Error('the graph has no second task')
  return {
    mission: envelopeOf(MISSION, 'tenant-a') as unknown as MissionEnvelope,
    task,
    agent: 'domain-01-research',
    attempt: 3,
    prompt: exampleOf('prompt-package.v1') as unknown as PromptPackage,
    pass: null,
    inputs: [exampleOf('research-artifact.v1')],
    budget: { ms: null, tokens: null },
    returns: { artifacts: ['worker_result'], schema: { type: 'object' } },
    repair: null,
    ...more,
  }
}

const ANSWER = { artifacts: [{ schema_name: 'worker_result', output: 'Zoë 🚚 "quoted"\n' }] }
const GITHUB = `ghp_${'a1B2'.repeat(9)}`

/** Answers that are not one sound JSON document. */
const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['white space', ' \n\t\n'],
  ['words', 'I have done it. Everything went well!'],
  ['half of an object', '{"artifacts": [{"schema_name": "worker_res'],
  ['two documents', '{"artifacts": []}\n{"artifacts": []}'],
  ['words after the document', '{"artifacts": []} and that is all'],
  ['a key that stands twice', '{"artifacts": [], "artifacts": [1]}'],
  ['a number that no reader keeps', '{"artifacts": [], "n": 9007199254740993}'],
  ['half of a character', '{"artifacts": ["\\ud83d"]}'],
  ['brackets without an end', '['.repeat(100_000)],
  ['what is JavaScript alone', "{artifacts: [], 'x': NaN, /* ? */ y: undefined}"],
]

/** What every sort of runner has to fulfil, called in the test file of each. */
export function describeRunner(sort: RunnerSort): void {
  describe(`a runner for ${sort.name}`, () => {
    const started: Opened[] = []
    let stop: AbortController
    beforeEach(() => {
      stop = new AbortController()
    })
    afterEach(async () => {
      stop.abort()
      for (const opened of started.splice(0)) await opened.close()
    })
    const open = async (behaviour: Behaviour) => {
      const opened = await sort.open(behaviour)
      started.push(opened)
      return opened
    }
    const run = ({ runner, runContext }: Opened, assignment = assignmentOf()) =>
      runner.run(assignment, { ...runContext, signal: stop.signal })

    describeAnswers(sort, open, run)
    describeEnds(open, run, () => stop.abort())
  })
}

type Open = (behaviour: Behaviour) => Promise<Opened>
type Run = (opened: Opened, assignment?: Assignment) => Promise<Outcome>

function describeAnswers(sort: RunnerSort, open: Open, run: Run): void {
  test('gives the answer as it was given', async () => {
    const opened = await open({ does: 'answers', text: JSON.stringify(ANSWER) })
    expect(await run(opened)).toMatchObject({ is: 'returned', answer: ANSWER })
    expect(await emptied(opened)).toEqual([])
  })

  test('tells the agent what is to be done', async () => {
    const opened = await open({ does: 'answers', text: JSON.stringify(ANSWER) })
    const { task } = assignmentOf()
    await run(opened, assignmentOf({ task: { ...task, objective: 'Find out why it rains.' } }))
    expect(opened.received()).toContain('Find out why it rains.')
  })

  test('tells the agent what was wrong with its first answer', async () => {
    const opened = await open({ does: 'answers', text: JSON.stringify(ANSWER) })
    const message = 'the key output is missing'
    const diagnostics = [{ code: 'schema/required', path: '/artifacts/0', message }]
    await run(opened, assignmentOf({ repair: { answer: { artifacts: [{}] }, diagnostics } }))
    expect(opened.received()).toContain(message)
  })

  test('gives a large answer whole', async () => {
    const answer = { artifacts: [{ output: 'fact '.repeat(50_000) }] }
    const opened = await open({ does: 'answers', text: JSON.stringify(answer) })
    expect(await run(opened)).toMatchObject({ is: 'returned', answer })
  })

  test('says what was used up', async () => {
    const usage = { inputTokens: 1200, outputTokens: 34 }
    const opened = await open({ does: 'answers', text: JSON.stringify(ANSWER), usage })
    expect(await run(opened)).toEqual({ is: 'returned', answer: ANSWER, usage })
  })

  const hostile = HOSTILE.filter(([name]) => !sort.without?.includes(name))
  test.each(hostile)('takes for no answer: %s', async (_, text) => {
    const opened = await open({ does: 'answers', text })
    const outcome = await run(opened)
    expect(outcome).toMatchObject({ is: 'failed', code: 'mission/runner-answer' })
    expectFit(outcome)
    expect(await emptied(opened)).toEqual([])
  })

  test('does not repeat a secret of an answer that it refuses', async () => {
    const text = `{"${GITHUB}": 1, "${GITHUB}": 2} ${GITHUB}`
    expectFit(await run(await open({ does: 'answers', text })))
  })

  test('does not repeat a secret of an agent that fails, or what it would do to a terminal', async () => {
    const saying = `\u001b[31mrefused\u001b[0m the token ${GITHUB}\u0007 \u202eback`
    const outcome = await run(await open({ does: 'fails', saying }))
    expect(outcome).toMatchObject({ is: 'failed' })
    expectFit(outcome)
  })

  test('does several tasks at once, each with its own', async () => {
    const texts = ['one', 'two', 'three', 'four'].map(output => ({ artifacts: [{ output }] }))
    const all = await Promise.all(
      texts.map(value => open({ does: 'answers', text: JSON.stringify(value) })),
    )
    const outcomes = await Promise.all(all.map(opened => run(opened)))
    expect(outcomes).toMatchObject(texts.map(answer => ({ is: 'returned', answer })))
  })
}

function describeEnds(open: Open, run: Run, abort: () => void): void {
  test('ends work that is cancelled, and leaves nothing behind', async () => {
    const opened = await open({ does: 'hangs' })
    const outcome = run(opened)
    expect(await comesTrue(() => opened.begun() === 1)).toBe(true)
    abort()
    expect(await outcome).toMatchObject({ is: 'failed', code: 'mission/runner-cancelled' })
    expect(await emptied(opened)).toEqual([])
  })

  test('begins nothing that is cancelled already', async () => {
    const opened = await open({ does: 'answers', text: JSON.stringify(ANSWER) })
    abort()
    expect(await run(opened)).toMatchObject({ is: 'failed', code: 'mission/runner-cancelled' })
    expect(opened.begun()).toBe(0)
  })

  test('ends work when the time of the mission is over, and leaves nothing behind', async () => {
    const opened = await open({ does: 'hangs' })
    const outcome = await run(opened, assignmentOf({ budget: { ms: 1000, tokens: null } }))
    expect(outcome).toMatchObject({
      is: 'failed',
      code: 'mission/runner-timeout',
      mayRetry: false,
    })
    expectFit(outcome)
    expect(await emptied(opened)).toEqual([])
  })

  test('begins nothing when there is no time left', async () => {
    const opened = await open({ does: 'answers', text: JSON.stringify(ANSWER) })
    const outcome = await run(opened, assignmentOf({ budget: { ms: 0, tokens: null } }))
    expect(outcome).toMatchObject({ is: 'failed', code: 'mission/runner-timeout' })
    expect(opened.begun()).toBe(0)
  })

  test('ends an answer without an end, and leaves nothing behind', async () => {
    const opened = await open({ does: 'floods' })
    const outcome = await run(opened)
    expect(outcome).toMatchObject({ is: 'failed', code: 'mission/runner-overflow' })
    expectFit(outcome)
    expect(await emptied(opened)).toEqual([])
  })
}

/** What is left of an agent's work; a moment is given to what is about to go. */
async function emptied(opened: Opened): Promise<readonly unknown[]> {
  await comesTrue(() => opened.left().length === 0)
  return opened.left()
}

/** That a message can be shown: short, no secret, nothing that a terminal would obey. */
function expectFit(outcome: Outcome): void {
  if (outcome.is !== 'failed') throw new Error(`it has not failed: ${JSON.stringify(outcome)}`)
  expect(outcome.message).not.toBe('')
  expect(outcome.message.length).toBeLessThan(5000)
  expect(outcome.message).not.toContain(GITHUB)
  expect(outcome.message).not.toContain(GITHUB.slice(8, 30))
  expect(outcome.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
}
