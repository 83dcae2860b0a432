import { expect, test } from 'vitest'
import { catalogue } from '../../cli/catalogue.generated.ts'
import type { App, Operation } from '../operation.ts'

const app: App = {
  now: 0,
  root: '/',
  cwd: '/',
  version: '0',
  stdin: async () => new Uint8Array(),
  variable: name => (name === 'WAYBILL_TASK' ? 'b/1/ps-b' : undefined),
}

const refusal = (name: string) => ({
  code: 'not-approved',
  message: `the agent of the task b/1/ps-b cannot run waybill ${name}`,
  hint: expect.stringContaining('only a person may'),
})

async function load(name: string) {
  const entry = catalogue.find(one => one.name === name)
  if (!entry) throw new Error(`there is no verb ${name}`)
  return (await entry.load()).default as Operation<never, unknown>
}

const personal = catalogue
  .map(({ operation }) => operation)
  .filter(({ actor, effect }) => actor === 'human' && effect !== 'read')

test('work that is started and what is decided are for people', () => {
  const names = personal.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      ...['pipeline run', 'mission run', 'mission submit', 'mission work', 'mission resume'],
      ...['mission retry', 'mission approve', 'mission reject', 'mission answer'],
      ...['mission pause', 'mission cancel', 'approve', 'lock', 'lock reconcile', 'init'],
      ...['key rotate', 'key revoke', 'log erase'],
    ]),
  )
})

test.each(personal.map(({ name }) => name))(
  'what is for people and writes is refused to an agent on every way: %s',
  async name => {
    const operation = await load(name)
    await expect(operation.run({} as never, app)).rejects.toMatchObject(refusal(name))
    const { parts } = operation
    if (!parts) return
    const ask = async () => parts({} as never, app, 'text')
    await expect(ask()).rejects.toMatchObject(refusal(name))
  },
)

test.each([
  ['check', 'baseline', true],
  ['resume', 'verifiedBy', 'Ada'],
  ['resume', 'runChecks', true],
  ['state gate', 'tenant', 'other'],
  ['log export', 'out', 'entries.jsonl'],
  ['log export', 'files', 'ledger'],
])(
  'an agent does not say for a person what %s takes of people alone: %s',
  async (name, word, value) => {
    const operation = await load(name)
    const asked = operation.run({ [word]: value } as never, app)
    await expect(asked).rejects.toMatchObject(refusal(`${name} with ${word}`))
  },
)

test('what makes a file is said to write, where the verb itself only reads', () => {
  const making = catalogue.flatMap(({ operation: { name, effect, input } }) =>
    Object.entries(input.properties)
      .filter(([_, { makes }]) => makes && effect === 'read')
      .map(([word, { writes }]) => [name, word, writes]),
  )
  expect(making).toEqual(expect.arrayContaining([['log export', 'out', true]]))
  expect(making.filter(([, , writes]) => !writes)).toEqual([])
})

test('a read-only operation is refused to no agent, and nothing is refused outside a task', async () => {
  const wrong = { code: 'usage', message: expect.stringContaining('is missing') }
  const reconcile = await load('lock reconcile')
  await expect(reconcile.run({ dryRun: true } as never, app)).rejects.toMatchObject(wrong)
  const { variable: _, ...outside } = app
  for (const other of [outside, { ...outside, variable: () => '' }])
    await expect(reconcile.run({} as never, other)).rejects.toMatchObject(wrong)
})

test('the words for only showing are inputs of verbs that then write nothing', () => {
  const taking = (word: string) =>
    personal.filter(({ input }) => word in input.properties).map(({ name }) => name)
  expect(taking('check')).toEqual(['lock'])
  expect(taking('dryRun').sort()).toEqual([
    ...['approve', 'init', 'lock', 'lock reconcile'],
    ...['mission approve', 'mission import', 'mission reject'],
  ])
})
