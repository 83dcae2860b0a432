import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { KeyRecords } from '../../ledger/index.ts'
import { agentKey, kindKey } from '../entries/keys.ts'
import { QuarantineAudit, type QuarantineTurn } from './quarantine.ts'

const turn = (index: number, agent: string, isIn = true): QuarantineTurn => ({ index, agent, isIn })

/** The records of accepted handoffs, by their indices, each with its agents. */
function accepted(...entries: readonly (readonly [index: number, ...agents: string[]])[]): Buffer {
  const records = new KeyRecords()
  for (const [index, ...agents] of entries)
    records.add({ unique: [], also: [...agents.map(agentKey), kindKey('handoff-accepted')] }, index)
  return records.sets()[1]
}

test('what is accepted between the entry that keeps an agent out and the one that lets it in is found', () => {
  const audit = new QuarantineAudit()
  expect(audit.add([], accepted([0, 'a', 'b']))).toEqual([])
  const first = [turn(2, 'a'), turn(4, 'c'), turn(6, 'a', false)]
  const handed = accepted([1, 'a', 'b'], [3, 'b', 'a'], [5, 'a', 'c'], [7, 'a', 'b'])
  expect(audit.add(first, handed)).toEqual([
    { index: 3, agent: 'a', since: 2 },
    { index: 5, agent: 'a', since: 2 },
    { index: 5, agent: 'c', since: 4 },
  ])
  // Its keys are not known, and who is kept out is known all the same.
  expect(audit.add([turn(9, 'b')])).toEqual([])
  expect(audit.add([], accepted([10, 'a', 'b']))).toEqual([{ index: 10, agent: 'b', since: 9 }])
})

test('it takes no longer for each entry, however many agents are kept out', async () => {
  const handed = accepted(
    ...Array.from({ length: 256 }, (_, at) => [1e6 + at, `x-${at}`, `y-${at}`] as const),
  )
  const timeWith = async (agents: number) => {
    const audit = new QuarantineAudit()
    audit.add(Array.from({ length: agents }, (_, at) => turn(at, `a-${at}`)))
    const times: number[] = []
    for (let round = 0; round < 5; round++)
      times.push(
        await cpuTimeOf(() => {
          for (let again = 0; again < 20; again++) audit.add([], handed)
        }),
      )
    return Math.min(...times)
  }
  const few = await timeWith(10)
  expect(await timeWith(10_000)).toBeLessThan(5 * few + 20)
})
