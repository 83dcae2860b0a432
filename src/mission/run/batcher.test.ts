import { expect, test } from 'vitest'
import { WaybillError } from '../../error.ts'
import { allOf, Batcher } from './batcher.ts'

interface Asked {
  readonly tenant?: string
  readonly name: string
  readonly fault?: 'alone' | 'together' | 'away'
}

/** What was done in one transaction, in the order in which that ended. */
function open() {
  const done: string[][] = []
  const work = async (asked: readonly Asked[], isAlone: boolean) => {
    await new Promise(resolve => setTimeout(resolve, 5))
    if (asked.some(({ fault }) => fault === 'away'))
      throw new WaybillError('store-unavailable', 'there is no database')
    if (asked.some(({ fault }) => fault === 'alone' || (fault && !isAlone)))
      throw new Error(`one of ${asked.length}`)
    done.push(asked.map(({ name }) => name))
    return asked.map(({ name }) => name.toUpperCase())
  }
  const together = new Batcher<Asked, string>({
    tenantOf: ({ tenant = 'acme' }) => tenant,
    nameOf: ({ name }) => name,
    together: (_, asked) => work(asked, false),
    alone: async one => (await work([one], true))[0] as string,
  })
  return { done, ask: (...asked: Asked[]) => Promise.allSettled(asked.map(a => together.ask(a))) }
}

const names = (...all: string[]): Asked[] => all.map(name => ({ name }))
const values = (settled: readonly PromiseSettledResult<string>[]) =>
  settled.map(one => (one.status === 'fulfilled' ? one.value : one.reason.message))

test('what is asked in one turn is done together, and each gets its own answer', async () => {
  const { done, ask } = open()
  expect(values(await ask(...names('a', 'b', 'c')))).toEqual(['A', 'B', 'C'])
  expect(values(await ask(...names('d')))).toEqual(['D'])
  expect(done).toEqual([['a', 'b', 'c'], ['d']])
})

test('so many at most are done together, and the others behind them', async () => {
  const { done, ask } = open()
  const many = Array.from({ length: 40 }, (_, i) => `n${i}`)
  expect(values(await ask(...names(...many)))).toEqual(many.map(name => name.toUpperCase()))
  expect(done.map(({ length }) => length)).toEqual([16, 16, 8])
})

test('what has one name is done one after another', async () => {
  const { done, ask } = open()
  await ask(...names('a', 'b', 'a'))
  expect(done).toEqual(expect.arrayContaining([['a', 'b'], ['a']]))
  expect(done).toHaveLength(2)
})

test('what is asked for one tenant is never done together with that of another', async () => {
  const { done, ask } = open()
  await ask({ name: 'a' }, { name: 'b', tenant: 'zenith' }, { name: 'c' })
  expect(done).toEqual(expect.arrayContaining([['a', 'c'], ['b']]))
  expect(done).toHaveLength(2)
})

test('where several cannot be done together each is done alone, and fails alone', async () => {
  const { done, ask } = open()
  const settled = await ask({ name: 'a' }, { name: 'b', fault: 'alone' }, { name: 'c' })
  expect(values(settled)).toEqual(['A', 'one of 1', 'C'])
  expect(done).toEqual([['a'], ['c']])
  expect(values(await ask({ name: 'd', fault: 'together' }, { name: 'e' }))).toEqual(['D', 'E'])
})

test('without a database, no further request goes to it', async () => {
  const { done, ask } = open()
  const settled = await ask({ name: 'a' }, { name: 'b', fault: 'away' })
  expect(values(settled)).toEqual(['there is no database', 'there is no database'])
  expect(done).toEqual([])
  expect(values(await ask({ name: 'a' }))).toEqual(['A'])
})

test('of several that fail in one transaction the cause is reported, whichever of them was asked first', async () => {
  const behind = Object.assign(new Error('aborted'), { code: '25P02' })
  const why = Object.assign(new Error('too long'), { code: '54000' })
  const failing = (error: Error) => Promise.reject(error)
  await expect(allOf([failing(behind), failing(why), failing(behind)])).rejects.toBe(why)
  await expect(allOf([Promise.resolve(1), failing(behind)])).rejects.toBe(behind)
  expect(await allOf([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
})
