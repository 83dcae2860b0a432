import { expect, test } from 'vitest'
import { ANALYSIS, openPair, PRODUCT, waybill } from '../../test/governed-pair.ts'
import receive from './receive.ts'

test('what waits for an agent is listed with what it is asked, until it is accepted', async () => {
  const pair = await openPair()
  const path = await pair.bring()
  const list = (as?: string) =>
    receive.run({ list: true, ...(as !== undefined && { as }) }, pair.receiver.app())
  expect(await list(ANALYSIS)).toMatchObject({
    answer: 'listed',
    waiting: [
      {
        path,
        from: PRODUCT,
        to: ANALYSIS,
        answered: null,
        asked: {
          description: 'Validate the hypothesis with what users said',
          expected: 'A recommendation',
          constraints: ['Say how sure you are'],
        },
      },
    ],
  })
  expect((await list(PRODUCT)).waiting).toEqual([])
  const { status, stdout } = await waybill(pair.receiver, 'receive', '--list', '--as', ANALYSIS)
  expect([status, stdout]).toEqual([0, expect.stringContaining('Validate the hypothesis')])
  await pair.receive(path, { as: PRODUCT })
  expect((await list()).waiting).toMatchObject([{ answered: 'rejected' }])
  expect((await pair.receive(path)).answer).toBe('accepted')
  expect((await list()).waiting).toEqual([])
  pair.remove()
})
