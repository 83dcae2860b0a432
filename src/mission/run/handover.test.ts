import { expect, test } from 'vitest'
import { openGovernedRepository } from '../../../test/governed-repository.ts'
import { entriesOf } from '../../../test/log-entries.ts'
import { openDecisionContext, openGateway } from '../../governance/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import type { Task } from '../runner.ts'
import { handOver, requestOf } from './handover.ts'

const OVER = {
  attempt: {
    tenant: 'default',
    mission: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
    task: 'one',
    attempt: 1,
  },
  task: { objective: 'Find out.', success_criteria: ['it is done'] } as unknown as Task,
  from: 'orchestrator-desk',
  to: 'domain-05-product',
  inputs: [],
}

test.each([
  ['once is handed over again', 1, true],
  ['each time is refused', 9, false],
])(
  'a task whose handoff grew old because the clock went forward %s',
  async (_, jumps, accepted) => {
    const repository = await openGovernedRepository()
    const { root } = repository
    const config = await loadConfig(root)
    let ahead = 0
    const gateway = await openGateway(root, config, { now: () => Date.now() + ahead })
    try {
      let opened = 0
      const handed = await handOver(OVER, () => {
        opened++
        // The second of two is opened to receive.
        if (opened % 2 === 0 && opened / 2 <= jumps) ahead += 3_600_000
        return openDecisionContext(root, config, gateway)()
      })
      expect(handed).toMatchObject({ accepted })
    } finally {
      await gateway.close()
    }
    const kinds = (await entriesOf(repository)).map(({ kind }) => kind)
    expect(kinds.filter(kind => kind !== 'clock-jump')).toEqual([
      'handoff-sent',
      'handoff-rejected',
      'handoff-sent',
      accepted ? 'handoff-accepted' : 'handoff-rejected',
    ])
    await repository.remove()
  },
)

test('of a task that is handed over at a given time it is recorded that the time was given', async () => {
  const repository = await openGovernedRepository()
  const { root } = repository
  const config = await loadConfig(root)
  const at = Date.now()
  const gateway = await openGateway(root, config, { now: () => at, wall: Date.now })
  try {
    const handed = await handOver(OVER, openDecisionContext(root, config, gateway))
    expect(handed).toMatchObject({ accepted: true })
  } finally {
    await gateway.close()
  }
  const [, accepted] = await entriesOf(repository)
  expect(accepted).toMatchObject({
    kind: 'handoff-accepted',
    statement: { predicate: { timeGiven: true } },
  })
  await repository.remove()
})

test('a task for an unknown agent is refused with that, and with nothing that follows from it', async () => {
  const repository = await openGovernedRepository()
  const { root } = repository
  const config = await loadConfig(root)
  const gateway = await openGateway(root, config, { now: Date.now })
  try {
    const over = { ...OVER, to: 'domain-05-prodcut' }
    expect(await handOver(over, openDecisionContext(root, config, gateway))).toMatchObject({
      accepted: false,
      reason: {
        code: 'agent-handoff/known-agents',
        message: expect.stringContaining("'domain-05-prodcut' is not a canonical id"),
        diagnostics: [{ hint: expect.stringContaining('domain-05-product') }],
      },
    })
  } finally {
    await gateway.close()
    await repository.remove()
  }
})

test('a handoff names 64 inputs at most, and says of all of them which they are', () => {
  const inputsOf = (last: string) =>
    requestOf({
      ...OVER,
      inputs: Array.from({ length: 66 }, (_, i) => ({
        id: `wrk_${i}`,
        digest: i === 65 ? last : '0'.repeat(64),
      })),
    }).input_data
  const [one, other] = [inputsOf('a'.repeat(64)), inputsOf('b'.repeat(64))]
  expect(one).toMatchObject({ artifacts: 66, artifact_ids: { length: 64 } })
  const { artifacts_sha256, ...rest } = one as typeof one & { artifacts_sha256: string }
  expect(other).toMatchObject(rest)
  expect(other).not.toMatchObject({ artifacts_sha256 })
})
