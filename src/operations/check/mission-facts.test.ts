import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import checkOperation from '../check.ts'

const NUDGE = join(import.meta.dirname, '../../../examples/nudge')
const MISSION = 'missions/quiet-hours'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
  cpSync(NUDGE, box.root, { recursive: true })
})
afterEach(() => box.remove())

const fileOf = (path: string) => join(box.root, MISSION, path)
const textOf = (path: string) => readFileSync(fileOf(path), 'utf8')
const write = (path: string, text: string) => writeFileSync(fileOf(path), text)

type Fields = Record<string, unknown>

/** Changes an artifact of the example's mission. */
function change(path: string, how: (artifact: Fields) => Fields, from = path): void {
  write(path, JSON.stringify(how(JSON.parse(textOf(from))), null, 2))
}

function without(artifact: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(artifact).filter(([name]) => name !== key))
}

/** What is wrong with one artifact of the mission, as `code message`. */
async function faultsOf(path: string): Promise<string[]> {
  const app = box.app({ now: Date.parse('2026-03-05T15:30:00Z') })
  const output = await checkOperation.run({ paths: [`${MISSION}/${path}`] }, app)
  return output.documents.flatMap(({ diagnostics }) =>
    diagnostics.filter(d => d.severity === 'error').map(d => `${d.code} ${d.message}`),
  )
}

const garble = (path: string) => write(path, textOf(path).replace(',', ''))
const faulty = (path: string) => `not checked: ${MISSION}/${path} has errors`

test('the example’s mission is sound', async () => {
  expect(await faultsOf('')).toEqual([])
})

test.each(['aa.json', 'zz.json'])(
  'a second envelope that contradicts the first is reported wherever an owner counts, as %s',
  async name => {
    for (const key of ['tenant_id', 'actor_id']) {
      change(name, one => ({ ...one, [key]: 'another' }), 'envelope.json')
      const [first, second] = [name, 'envelope.json'].sort()
      const folder = MISSION
      expect(await faultsOf('writeback.json')).toContain(
        `writeback-proposal/not-checked not checked: ${folder}/${first} and ${folder}/${second} are envelopes of one mission with a different ${key}`,
      )
    }
    change(name, one => one, 'envelope.json')
    expect(await faultsOf('')).toEqual([])
  },
)

describe('a write-back by a worker', () => {
  beforeEach(() => change('writeback.json', one => ({ ...one, producer: 'worker_agent' })))

  test('is refused where every result is faulty and still says who wrote it', async () => {
    for (const path of ['results/rule.json', 'results/causes.json'])
      change(path, one => ({ ...one, confidence: 86 }))
    const [fault, ...more] = await faultsOf('writeback.json')
    expect(fault).toContain("no-worker-writeback 'worker_agent' is a worker of the mission")
    expect(more).toEqual([])
  })

  test('is not checked where no result says who wrote it', async () => {
    for (const path of ['results/rule.json', 'results/causes.json'])
      change(path, one => without(one, 'producer'))
    expect(await faultsOf('writeback.json')).toEqual([
      `writeback-proposal/not-checked ${faulty('results/causes.json')}, and 1 more`,
    ])
  })

  test('is not checked where results cannot be read at all', async () => {
    for (const path of ['results/rule.json', 'results/causes.json']) garble(path)
    expect(await faultsOf('writeback.json')).toContain(
      `writeback-proposal/not-checked ${faulty('results/causes.json')}, and 1 more`,
    )
  })
})

describe('a second review', () => {
  const second = (one: Fields) => ({ ...one, packet_id: 'rev_2' })

  test('is seen where the first has a fault elsewhere', async () => {
    change('review2.json', one => ({ ...second(one), review_status: 'aproved' }), 'review.json')
    const [fault] = await faultsOf('review.json')
    expect(fault).toContain("one-review the mission is already reviewed: 'rev_2' in")
  })

  test('is not checked where it does not say when it was written', async () => {
    change('review2.json', one => ({ ...second(one), created_at: 'today' }), 'review.json')
    expect(await faultsOf('review.json')).toEqual([
      `review-packet/not-checked ${faulty('review2.json')}`,
    ])
  })
})

describe('a result without sources', () => {
  beforeEach(() => change('results/rule.json', one => ({ ...one, citations: [] })))
  const constraints = (value: unknown) => (one: Fields) => ({ ...one, constraints: value })

  test('is refused where the faulty prompt package still says that it must cite', async () => {
    change('prompts/rule.json', one => without(one, 'model_route'))
    const faults = await faultsOf('results/rule.json')
    expect(faults).toEqual([expect.stringContaining('cites-sources-when-required')])
  })

  test.each([null, 'none', { must_cite_sources: 'no' }])(
    'is not checked where the prompt package says %j',
    async value => {
      change('prompts/rule.json', constraints(value))
      expect(await faultsOf('results/rule.json')).toEqual([
        `worker-result/not-checked ${faulty('prompts/rule.json')}`,
      ])
    },
  )

  test('is accepted where a faulty package belongs to another task, or asks for none', async () => {
    change('prompts/causes.json', constraints(null))
    change('prompts/rule.json', constraints({ must_cite_sources: false }))
    expect(await faultsOf('results/rule.json')).toEqual([])
  })
})

describe('a result that is a day late', () => {
  const task = () => JSON.parse(textOf('librarian-pass.json')).task_id
  const result = () =>
    ['results/rule.json', 'results/causes.json'].find(
      path => JSON.parse(textOf(path)).task_id === task(),
    ) ?? ''
  const PASS = 'librarian-pass.json'
  const late = (one: Fields) => ({ ...one, created_at: '2026-03-05T15:00:00Z' })
  const ended = (one: Fields) => ({ ...one, expires_at: '2026-03-04T15:00:00Z' })

  test('is refused where the pass lacks a key that has nothing to do with it', async () => {
    change(result(), late)
    change(PASS, one => without(ended(one), 'recommended_queries'))
    expect(await faultsOf(result())).toEqual([expect.stringContaining('pass-not-expired')])
  })

  test('is not checked where the pass, or the pass that renewed it, does not say its end', async () => {
    change(result(), late)
    change('pass-2.json', one => ({ ...without(one, 'expires_at'), pass_id: 'pass_2' }), PASS)
    change(PASS, ended)
    expect(await faultsOf(result())).toEqual([`worker-result/not-checked ${faulty('pass-2.json')}`])
  })
})

describe('a claim', () => {
  test('may rest on a result and on research that have a fault elsewhere', async () => {
    change('results/rule.json', one => ({ ...one, confidence: 86 }))
    change('results/causes.json', one => ({ ...one, confidence: 86 }))
    change('research.json', one => ({ ...one, producer: 1 }))
    expect(await faultsOf('aggregation.json')).toEqual([])
  })

  test('is not checked where no mission is named whose artifacts it could rest on', async () => {
    change('aggregation.json', one => without(one, 'mission_id'))
    const faults = await faultsOf('aggregation.json')
    expect(faults).toContainEqual(
      expect.stringContaining('not checked: the document has no mission_id'),
    )
    expect(faults).not.toContainEqual(expect.stringContaining('support-refs-known'))
  })

  test('is not checked where what it rests on cannot be read', async () => {
    garble('results/rule.json')
    expect(await faultsOf('aggregation.json')).toEqual([
      `aggregation-packet/not-checked ${faulty('results/rule.json')}`,
    ])
  })
})

describe('next to a faulty graph', () => {
  beforeEach(() => change('more.json', one => ({ ...one, tasks: [{}] }), 'task-graph.json'))

  test('a graph is not checked against it, which is said once', async () => {
    change('task-graph.json', one => {
      const [first, ...rest] = one.tasks as Fields[]
      return { ...one, tasks: [{ ...first, depends_on: ['task_in_more'] }, ...rest] }
    })
    expect(await faultsOf('task-graph.json')).toEqual([
      `mission-task-graph/not-checked ${faulty('more.json')}`,
    ])
  })
})

/** Slips in what says of which mission and of which sort an artifact is; its text is no artifact any more by that. */
const SLIPS: [string, (one: Fields) => Fields][] = [
  ['a mission_id that is no text', one => ({ ...one, mission_id: 7 })],
  ['a mission_id that is no UUID', one => ({ ...one, mission_id: '7c0g' })],
  ['mission_id under another name', one => ({ missionid: 1, ...without(one, 'mission_id') })],
  ['another schema_name', one => ({ ...one, schema_name: `${one.schema_name}`.slice(0, -1) })],
  [
    'schema_name under another name',
    one => ({ schema_nam: one.schema_name, ...without(one, 'schema_name') }),
  ],
]

describe.each(SLIPS)('%s', (_, slip) => {
  test('does not hide a denial from the graph', async () => {
    const denial = (one: Fields) => slip({ ...one, decision_id: 'pol_9', decision: 'deny' })
    change('policy/second.json', denial, 'policy/repository-read.json')
    expect(await faultsOf('task-graph.json')).toEqual([
      `mission-task-graph/not-checked ${faulty('policy/second.json')}`,
    ])
  })

  test('does not hide who wrote the results', async () => {
    for (const path of ['results/rule.json', 'results/causes.json']) change(path, slip)
    change('writeback.json', one => ({ ...one, producer: 'worker_agent' }))
    expect(await faultsOf('writeback.json')).toEqual([
      expect.stringContaining("no-worker-writeback 'worker_agent' is a worker of the mission"),
    ])
  })

  test('does not hide an earlier review', async () => {
    change('review2.json', one => slip({ ...one, packet_id: 'rev_2' }), 'review.json')
    expect(await faultsOf('review.json')).toEqual([
      expect.stringContaining("one-review the mission is already reviewed: 'rev_2' in"),
    ])
  })

  test('in the envelope is what documents below it say is faulty', async () => {
    change('envelope.json', slip)
    expect(await faultsOf('results/rule.json')).toEqual([
      `worker-result/not-checked ${faulty('envelope.json')}`,
    ])
  })

  test('in the graph or in a result is no reason to look for another one', async () => {
    change('task-graph.json', slip)
    change('results/causes.json', slip)
    expect(await faultsOf('results/rule.json')).toEqual([
      `worker-result/not-checked ${faulty('task-graph.json')}`,
    ])
    expect(await faultsOf('aggregation.json')).toEqual([])
  })
})

describe('of another mission', () => {
  const OTHER = '00000000-0000-4000-8000-000000000000'

  test('a faulty denial that says so has no weight', async () => {
    const denial = (one: Fields) => ({ ...one, mission_id: OTHER, decision: 'deny', producer: 1 })
    change('policy/second.json', denial, 'policy/repository-read.json')
    expect(await faultsOf('task-graph.json')).toEqual([])
  })

  test('an envelope without an owner may exist next to that of the mission', async () => {
    change('old.json', one => ({ ...without(one, 'tenant_id'), mission_id: 7 }), 'envelope.json')
    expect(await faultsOf('results/rule.json')).toEqual([])
  })

  test('is no data that only has the same keys', async () => {
    write('mail.json', JSON.stringify({ subject: 'web_search', decision: 'deny' }))
    expect(await faultsOf('task-graph.json')).toEqual([])
  })
})

describe('a faulty envelope', () => {
  test('with an empty owner is what documents below it say is faulty', async () => {
    change('envelope.json', one => ({ ...one, tenant_id: '' }))
    expect(await faultsOf('results/rule.json')).toEqual([
      `worker-result/not-checked ${faulty('envelope.json')}`,
    ])
  })

  test('that names its owner keeps nothing below it from being checked', async () => {
    change('envelope.json', one => ({ ...one, risk_level: 'Medium' }))
    expect(await faultsOf('')).toEqual([expect.stringContaining('schema/enum')])
  })

  test('that names none is what documents below it say is faulty', async () => {
    change('envelope.json', one => without(one, 'tenant_id'))
    expect(await faultsOf('results/rule.json')).toEqual([
      `worker-result/not-checked ${faulty('envelope.json')}`,
    ])
  })

  test.each([
    ['misses a comma', (text: string) => text.replace(',', '')],
    ['holds a merge mark', (text: string) => text.replace('\n', '\n<<<<<<< HEAD\n')],
  ])('that %s is found, and so is the graph', async (_, damage) => {
    write('envelope.json', damage(textOf('envelope.json')))
    expect(await faultsOf('results/rule.json')).toEqual([
      `worker-result/not-checked ${faulty('envelope.json')}`,
    ])
  })
})
