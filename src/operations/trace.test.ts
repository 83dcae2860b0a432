import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cloneGoverned,
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { waybill } from '../../test/waybill.ts'
import { formats, text } from '../cli/render/trace.ts'
import logErase from './log-erase.ts'
import logShow from './log-show.ts'
import receive from './receive.ts'
import send from './send.ts'
import trace from './trace.ts'

const PRODUCT = 'domain-05-product'
const ANALYSIS = 'domain-02-analysis'
const THINKER = 'archetype-product-thinker'
const plain = (_: string, word: string) => word

let sender: GovernedRepository
let receiver: GovernedRepository
const ids: string[] = []
/**
 * A conversation of two handoffs, the second of which carries on the first. The receiver accepts the first (entry 0),
 * refuses it as a replay (1), accepts the second (2), and refuses a document that has no id (3); entry 4 erases 2.
 */
beforeAll(async () => {
  sender = await openGovernedRepository()
  receiver = await cloneGoverned(sender)
  receiver.write(
    'waybill.yaml',
    `people: claimed\n${readFileSync(join(receiver.root, 'waybill.yaml'), 'utf8')}`,
  )
  receiver.commit()
  const first = await bring(PRODUCT, ANALYSIS)
  await receive.run({ path: first }, receiver.app())
  await receive.run({ path: first }, receiver.app())
  const { entries } = await logShow.run({ about: '0' }, receiver.app())
  const shown = (await logShow.run({ about: '0' }, receiver.app())).shown?.[0]
  expect(entries).toHaveLength(1)
  const previous = shown?.statement?.subject[0]?.digest.sha256
  await receive.run({ path: await bring(ANALYSIS, THINKER, previous) }, receiver.app())
  receiver.write('none.json', '{"handoff_id": 1}')
  await receive.run({ path: 'none.json' }, receiver.app())
  await logErase.run({ digest: '2', by: 'ada', why: 'names a customer' }, receiver.app())
})
afterAll(() => {
  sender.remove()
  receiver.remove()
})

async function bring(from: string, to: string, previous?: string): Promise<string> {
  sender.write('draft.json', JSON.stringify(draftOf(from, to)))
  const given = { path: 'draft.json', ...(previous !== undefined && { previous }) }
  const { document, envelope, handoff } = await send.run(given, sender.app())
  for (const path of [document ?? '', envelope ?? ''])
    copyFileSync(join(sender.root, path), join(receiver.root, path))
  ids.push(handoff ?? '')
  return document ?? ''
}

const follow = (id: string, at = receiver, more = {}) => trace.run({ id, ...more }, at.app())
const indicesOf = ({ steps }: Awaited<ReturnType<typeof follow>>) =>
  steps.map(({ entry }) => entry.index)

describe('a handoff', () => {
  test('is followed through all that happened to it, and on to the one that carries it on', async () => {
    const found = await follow(ids[0] ?? '')
    expect(found.kinds).toEqual(['handoff'])
    expect(indicesOf(found)).toEqual([0, 1, 2, 4])
    expect(found.steps.map(({ via }) => via)).toEqual([
      null,
      null,
      'the handoff after',
      'stated about an entry',
    ])
    expect(found.steps.map(({ entry }) => [entry.kind, entry.from, entry.to, entry.state])).toEqual(
      [
        ['handoff-accepted', PRODUCT, ANALYSIS, 'kept'],
        ['handoff-rejected', PRODUCT, ANALYSIS, 'kept'],
        ['handoff-accepted', null, null, 'erased'],
        ['erasure', null, null, 'kept'],
      ],
    )
  })

  test('is reached from the one that carries it on, even though that was erased', async () => {
    expect(indicesOf(await follow(ids[1] ?? ''))).toEqual([0, 1, 2, 4])
  })

  test('tells which prompts the agents had, who stated what, and where it was refused', async () => {
    const found = await follow(ids[0] ?? '')
    const lock = JSON.parse(readFileSync(join(receiver.root, 'prompt-lock.json'), 'utf8'))
    expect(found.steps[0]?.prompts).toMatchObject(
      [PRODUCT, ANALYSIS].map(agent => ({ agent, stated: lock.prompts[agent].hash })),
    )
    expect(found.steps[0]?.policy).toEqual({ decision: 'allow', by: ['waybill/handoff'] })
    expect(found.approvals).toMatchObject([{ index: 4, by: 'ada', standing: 'claimed' }])
    expect(found.refusals).toEqual([{ index: 1, codes: ['agent-handoff/not-replayed'] }])
    expect(found.documents).toContainEqual({
      path: `${ids[0]}.json`,
      line: 2,
      contract: 'agent-handoff',
    })
  })

  test('is followed by its sender to what was sent after it', async () => {
    const found = await follow(ids[0] ?? '', sender)
    expect(found.steps.map(({ via }) => via)).toEqual([null, 'the handoff after'])
  })
})

describe('other ids', () => {
  test('is not looked for where it is no id but a text', async () => {
    await expect(follow('x'.repeat(100_000))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^.{1,100}$/),
    })
  })

  test('an agent is followed through everything that it had a part in', async () => {
    const found = await follow(THINKER)
    expect(found.kinds).toEqual(['agent'])
    expect(found.steps.filter(({ via }) => via === null).map(({ entry }) => entry.index)).toEqual([
      2, 4,
    ])
  })

  test('an entry is followed by its digest, and what was stated about it is found', async () => {
    const { entries } = await logShow.run({ about: '2' }, receiver.app())
    const found = await follow(entries[0]?.digest ?? '')
    expect(found.kinds).toContain('entry')
    expect(indicesOf(found)).toContain(4)
  })

  test('a document that is no handoff is followed by the digest of its bytes', async () => {
    const shown = (await logShow.run({ about: '3' }, receiver.app())).shown?.[0]
    const bytes = shown?.statement?.subject[0]?.digest.sha256 ?? ''
    const found = await follow(bytes)
    expect([indicesOf(found), found.kinds]).toEqual([[3], ['document']])
  })

  test('are followed up to a limit, and the output says that there are more', async () => {
    const found = await follow(PRODUCT, receiver, { limit: 1 })
    expect([found.steps.length, found.more]).toEqual([1, true])
  })

  test('that are unknown end with 1, and similar ids are named', async () => {
    const found = await follow('domain-05-produkt')
    expect(trace.failed?.(found)).toBe(true)
    expect(found).toMatchObject({ steps: [], documents: [], near: [PRODUCT] })
    expect(text(found, plain, receiver.app(), false)).toContain(`did you mean ${PRODUCT}?`)
  })

  test('that only documents name are traced, too', async () => {
    const found = await follow('Validate the hypothesis')
    expect(found.steps).toEqual([])
    expect(trace.failed?.(found)).toBe(false)
    expect(found.documents.length).toBeGreaterThan(0)
  })
})

describe('what people see', () => {
  test('is a timeline with what each step adds', async () => {
    const page = text(await follow(ids[0] ?? ''), plain, receiver.app(), false)
    expect(page).toMatch(
      /^0 {2}\S+ \S+ {2}handoff-accepted {2}domain-05-product → domain-02-analysis$/m,
    )
    expect(page).toMatch(/prompts domain-05-product [0-9a-f]{12}/)
    expect(page).toContain('policies: allow by waybill/handoff')
    expect(page).toContain('refused in entry 1: agent-handoff/not-replayed')
    expect(page).toContain('stated by ada (by name only) in entry 4')
  })

  test('or a sequence diagram', async () => {
    expect(formats.mermaid(await follow(ids[0] ?? '')).split('\n')).toEqual([
      'sequenceDiagram',
      `  participant p0 as ${PRODUCT}`,
      `  participant p1 as ${ANALYSIS}`,
      `  participant p2 as ${THINKER}`,
      '  participant p3 as ada',
      '  p0->>p1: 0 handoff-accepted',
      '  p0-xp1: 1 handoff-rejected, agent-handoff/not-replayed',
      expect.stringMatching(
        /^ {2}Note over p1,p2: 2 handoff-accepted: erased by ada \(claimed\) at /,
      ),
      '  Note over p3: 4 erasure: entry 2: names a customer',
    ])
  })
})

describe('what a handoff is about', () => {
  const MISSION = '7c0f2b1e-5d64-4a8e-9b37-1f6a2d90c4e5'
  const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  const context = (known: object, needed: object) => {
    const { request } = draftOf(PRODUCT, ANALYSIS).context
    const state = { conversation_history: [], accumulated_context: known, decisions_made: [] }
    return { context: { request: { ...request, input_data: needed }, state } }
  }
  let repository: GovernedRepository
  const sendOf = async (known: object, needed: object = {}) => {
    const draft = draftOf(PRODUCT, ANALYSIS, context(known, needed))
    repository.write('draft.json', JSON.stringify(draft))
    return send.run({ path: 'draft.json' }, repository.app())
  }
  const cli = (...args: readonly string[]) => waybill(args, { cwd: repository.root })
  /** Sent (0), accepted (1), refused as a replay (2), with a credential (3), with odd ids (4). */
  beforeAll(async () => {
    repository = await openGovernedRepository('people: claimed\n')
    const sent = await sendOf(
      { mission_id: MISSION, session_id: 's-42', artifact_id: 'made_1' },
      { mission_id: 'another', task_id: 'task_1', artifact_id: 'used_1', artifact_ids: ['used_2'] },
    )
    await receive.run({ path: sent.document ?? '' }, repository.app())
    await receive.run({ path: sent.document ?? '' }, repository.app())
    await sendOf({ mission_id: 'with-a-secret', token: SECRET })
    const odd = ['', 'two words', 'x'.repeat(129), 7, null, { a: 1 }]
    const many = Array.from({ length: 20 }, (_, at) => `a-${at}`)
    await sendOf({ mission_id: 'quiet-hours', artifact_ids: [...odd, ...many] })
  })
  afterAll(() => repository.remove())

  test.each([
    ['mission', MISSION],
    ['session', 's-42'],
    ['task', 'task_1'],
    ['artifact', 'made_1'],
    ['artifact', 'used_1'],
    ['artifact', 'used_2'],
  ])('is found by the %s %s, in what was sent, accepted and refused', async (kind, id) => {
    const { stdout, status } = await cli('trace', id, '--format', 'json')
    const { kinds, steps } = JSON.parse(stdout)
    expect({ kinds, status }).toEqual({ kinds: [kind], status: 0 })
    expect(steps.map(({ entry }: { entry: { index: number } }) => entry.index)).toEqual([0, 1, 2])
  })

  test('gives the decision on it to its mission, where that is a UUID', async () => {
    const missionOf = async (entry: string) =>
      JSON.parse((await cli('policy', 'explain', entry, '--artifact')).stdout).mission_id
    expect(await missionOf('1')).toBe(MISSION)
    const odd = JSON.parse((await cli('log', 'show', '4', '--format', 'json')).stdout).entries[0]
      .ids
    expect(await missionOf('4')).toBe(odd.handoff)
    expect(odd).toMatchObject({ mission: 'quiet-hours', artifacts: expect.any(Array) })
    expect(odd.artifacts).toEqual(Array.from({ length: 16 }, (_, at) => `a-${at}`))
  })

  test('is not taken from what holds a credential', async () => {
    const { stdout, status } = await cli('log', 'show', '3', '--format', 'json')
    expect(status).toBe(0)
    expect(stdout).toContain('gateway/secret')
    expect(stdout).not.toContain('with-a-secret')
  })

  test('stays known when what was said of it is erased, and the log verifies', async () => {
    await logErase.run({ digest: '0', by: 'ada', why: 'private' }, repository.app())
    expect(indicesOf(await follow('made_1', repository))).toEqual([0, 1, 2, 5])
    expect((await cli('log', 'verify')).status).toBe(0)
  })
})
