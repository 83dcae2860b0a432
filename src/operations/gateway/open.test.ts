import { appendFileSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANALYSIS, codesOf, openPair, type Pair, PRODUCT } from '../../../test/governed-pair.ts'
import { draftOf, type GovernedRepository } from '../../../test/governed-repository.ts'
import { entriesOf } from '../../../test/log-entries.ts'
import approve from '../approve.ts'
import doctor from '../doctor.ts'
import keyRotate from '../key-rotate.ts'
import receive from '../receive.ts'
import send from '../send.ts'

let pair: Pair
beforeEach(async () => {
  pair = await openPair()
})
afterEach(() => pair.remove())

const ID = '550e8400-e29b-41d4-a716-446655440000'
const FAULTY = '\nrules: {agent-handoff/prompt-hash-matches-lock: {severity: off, reason: x}}\n'

test('by a configuration that a check refuses nothing is received, sent or recorded', async () => {
  const path = await pair.bring()
  const { sender, receiver } = pair
  const before = [(await entriesOf(sender)).length, (await entriesOf(receiver)).length]
  for (const { root } of [sender, receiver]) appendFileSync(join(root, 'waybill.yaml'), FAULTY)
  const refused = { code: 'configuration', message: expect.stringContaining('cannot be changed') }
  await expect(pair.receive(path)).rejects.toMatchObject(refused)
  await expect(pair.bring()).rejects.toMatchObject(refused)
  const after = [(await entriesOf(sender)).length, (await entriesOf(receiver)).length]
  expect(after).toEqual(before)
})

test('each call and the doctor report that gateway time is ahead of the clock', async () => {
  const { sender } = pair
  const right = sender.app().now
  const sendAt = async (now: number) => {
    const notices: string[] = []
    sender.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
    const app = sender.app({ now, clock: () => now, tell: line => void notices.push(line) })
    await send.run({ path: 'draft.json' }, app)
    return notices.filter(line => line.startsWith('gateway/time-ahead'))
  }
  const itemAt = async (now: number) =>
    (await doctor.run({}, sender.app({ now }))).items.find(({ name }) => name === 'time')
  expect(await sendAt(right)).toEqual([])
  expect(await itemAt(right)).toBeUndefined()
  const day = 24 * 60 * 60 * 1000
  expect(await sendAt(right + day)).toEqual([])
  expect(await sendAt(right)).toEqual([expect.stringContaining('86400 seconds ahead')])
  expect(await itemAt(right)).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('86400 seconds ahead of the clock'),
  })
  expect(await sendAt(right + day - 30_000)).toEqual([])
})

/** Lets what is promised next be written down, and not be brought into the tree; gives how to end that. */
async function keepFromTree(repository: GovernedRepository, size?: number): Promise<() => void> {
  const next = size ?? (await entriesOf(repository)).length + 1
  const folder = join(repository.root, '.waybill/ledger/tile/0/000.p', String(next))
  mkdirSync(folder, { recursive: true })
  return () => rmdirSync(folder)
}

test('what is recorded and cannot be published is not answered, and asking again names its entry', async () => {
  const { receiver, sender } = pair
  await pair.receive(await pair.bring())
  const path = await pair.bring()
  const free = await keepFromTree(receiver)
  const unanswered = {
    code: 'input-output',
    message: expect.stringMatching(/^cannot publish a checkpoint, .*cannot be written/),
    hint: expect.stringContaining('at the entry named in the refusal'),
  }
  await expect(receive.run({ path }, receiver.app())).rejects.toMatchObject(unanswered)
  free()
  const again = await pair.receive(path)
  expect(codesOf(again)).toEqual(['agent-handoff/not-replayed'])
  const entries = await entriesOf(receiver)
  expect(entries.slice(-2).map(({ kind }) => kind)).toEqual([
    'handoff-accepted',
    'handoff-rejected',
  ])
  expect(again.diagnostics[0]?.message).toContain(`#${entries.at(-2)?.digest}'`)

  const freeSender = await keepFromTree(sender)
  sender.write('late.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  await expect(send.run({ path: 'late.json' }, sender.app())).rejects.toMatchObject({
    ...unanswered,
    hint: expect.stringMatching(/entry 2 records the handoff as sent.* without its handoff_id/),
  })
  freeSender()
})

test('a statement or act that cannot be published is not to be repeated, and its entry is named', async () => {
  const { sender } = pair
  appendFileSync(join(sender.root, 'waybill.yaml'), '\npeople: claimed\n')
  sender.commit()
  sender.write('draft.json', JSON.stringify({ handoff_id: ID, ...draftOf(PRODUCT, ANALYSIS) }))
  const kept = (index: number) => ({
    code: 'input-output',
    hint: expect.stringMatching(
      `^recorded entries are kept, entry ${index} included: .*do not repeat the command.*log show ${index}`,
    ),
  })
  const approving = () =>
    approve.run({ handoff: 'draft.json', by: 'ada', why: 'compared' }, sender.app())
  const free = await keepFromTree(sender)
  await expect(approving()).rejects.toMatchObject(kept(0))
  free()
  const freeAgain = await keepFromTree(sender, 2)
  const before = readFileSync(join(sender.root, 'waybill.yaml'), 'utf8')
  await expect(keyRotate.run({ holder: PRODUCT }, sender.app())).rejects.toMatchObject(kept(1))
  freeAgain()
  // The key that the entry tells of is listed.
  expect(readFileSync(join(sender.root, 'waybill.yaml'), 'utf8')).not.toBe(before)
  await approving()
  const kinds = (await entriesOf(sender)).map(({ kind }) => kind)
  expect(kinds).toEqual(['approval', 'key-change', 'approval'])
})
