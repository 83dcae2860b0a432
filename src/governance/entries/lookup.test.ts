import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type GovernedRepository,
  openGovernedRepository,
} from '../../../test/governed-repository.ts'
import type { LogReader } from '../../ledger/index.ts'
import { loadConfig, sha256 } from '../../workspace/index.ts'
import { openGateway } from '../gateway/gateway.ts'
import { entryAt } from './lookup.ts'

let repository: GovernedRepository
beforeAll(async () => {
  repository = await openGovernedRepository()
})
afterAll(() => repository.remove())

test('an entry that is published while it is looked up is what was recorded', async () => {
  const { root } = repository
  const gateway = await openGateway(root, await loadConfig(root), { now: Date.now })
  try {
    const { log } = gateway
    const says = { by: 'ada', standing: 'claimed', stated: 'x', decision: 'approved' } as const
    const subject = [{ name: 'x', digest: { sha256: sha256('x') } }]
    const answer = await gateway.record('approval', { subject, says })
    if (!('index' in answer)) throw new Error('not recorded')
    let size = answer.index
    const published: LogReader = {
      origin: log.origin,
      checkpoint: () => log.checkpoint(),
      tile: tile => log.tile(tile),
      content: index => log.content(index),
      find: key => log.find(key),
      lastClock: () => log.lastClock(),
      // As soon as a caller knows how far the log is published, that is no longer so.
      size: async () => {
        const known = size
        size = (await log.covered()).checkpoint.size
        return known
      },
    }
    expect(await entryAt(published, answer.index)).toMatchObject({ is: 'entry', kind: 'approval' })
  } finally {
    await gateway.close()
  }
})
