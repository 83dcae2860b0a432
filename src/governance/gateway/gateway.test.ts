import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type GovernedRepository,
  openGovernedRepository,
} from '../../../test/governed-repository.ts'
import { entriesOf } from '../../../test/log-entries.ts'
import keyRotate from '../../operations/key-rotate.ts'
import { loadConfig, readRecords, record, sha256 } from '../../workspace/index.ts'
import { type Clocks, jumpBetween } from './clock.ts'
import { type Gateway, type GatewayOptions, openGateway } from './gateway.ts'

let repository: GovernedRepository
beforeAll(async () => {
  repository = await openGovernedRepository()
})
afterAll(() => repository.remove())

const SUBJECT = [{ name: 'x', digest: { sha256: sha256('x') } }]

async function withGateway<T>(
  work: (gateway: Gateway) => Promise<T>,
  options: Partial<GatewayOptions> = {},
): Promise<T> {
  const { root } = repository
  const now = () => Date.now()
  const gateway = await openGateway(root, await loadConfig(root), { now, ...options })
  try {
    return await work(gateway)
  } finally {
    await gateway.close()
  }
}

const approve = (gateway: Gateway, by: string) =>
  gateway.record('approval', {
    subject: SUBJECT,
    says: { by, standing: 'claimed', stated: 'x', decision: 'approved' },
  })

describe('records from before the ledger', () => {
  const made = (by: string) => ({
    type: 'urn:waybill:record:resume',
    at: by === 'ada' ? '2026-01-01T00:00:00Z' : '2026-01-01T00:00:00.500Z',
    by,
  })

  test('become entries, and are still found among the records', async () => {
    const { root } = repository
    const digests = ['ada', 'bob'].map(by => record(root, made(by)))
    await withGateway(async () => undefined)
    const folder = join(root, '.waybill/records')
    expect(readdirSync(folder)).toEqual(['imported'])
    expect(readdirSync(join(folder, 'imported')).sort()).toEqual(
      digests.map(d => `${d}.json`).sort(),
    )
    const entries = (await entriesOf(repository)).filter(({ kind }) => kind === 'record')
    expect(entries.map(({ statement }) => statement.predicate.record)).toEqual([
      made('ada'),
      made('bob'),
    ])
    expect(readRecords(root).records).toHaveLength(2)
    // The same again is the same record, and no second entry.
    record(root, made('ada'))
    await withGateway(async () => undefined)
    expect((await entriesOf(repository)).filter(({ kind }) => kind === 'record')).toHaveLength(2)
    expect(readRecords(root)).toMatchObject({ broken: [] })
    expect(readRecords(root).records).toHaveLength(2)
  })

  test('stay where they are if they were changed, and a credential in one is not repeated', async () => {
    const { root } = repository
    const folder = join(root, '.waybill/records')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${'0'.repeat(64)}.json`), '{}')
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const digest = record(root, { ...made('eve'), note: secret })
    await withGateway(async () => undefined)
    expect(readRecords(root).broken).toEqual([`${'0'.repeat(64)}.json`])
    const entry = (await entriesOf(repository)).at(-1)
    expect(entry?.statement.predicate).toMatchObject({ ids: { record: digest }, record: null })
    expect(JSON.stringify(entry)).not.toContain(secret)
  })
})

describe('a record that cannot be repeated in an entry is withheld, with its digest:', () => {
  const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  const resume = (more: string) =>
    `{"type":"urn:waybill:record:resume","at":"2026-01-01T00:00:00Z",${more}}`
  const typed = (type: string) => `{"type":"${type}","at":"2026-01-01T00:00:00Z"}`

  test.each([
    ['nested too deep', resume(`"x":${'['.repeat(120)}${']'.repeat(120)}`)],
    ['nested as deep as no stack', resume(`"x":${'['.repeat(90_000)}${']'.repeat(90_000)}`)],
    ['with a number that no number is', resume('"n":1e999')],
    ['with half a pair in a text', resume('"x":"\\ud800"')],
    ['with half a pair as its type', typed('\\ud800')],
    ['with a credential as its type', typed(TOKEN)],
    ['with words as its type', typed('urn:waybill:record:resume of a b')],
  ])('%s', async (_, text) => {
    const digest = sha256(text)
    const folder = join(repository.root, '.waybill/records')
    writeFileSync(join(folder, `${digest}.json`), text)
    await withGateway(async () => undefined)
    const entry = (await entriesOf(repository)).at(-1)
    expect(entry?.statement.predicate).toMatchObject({
      ids: { record: digest },
      type: expect.stringMatching(/^urn:waybill:record:(?:resume|withheld)$/),
      record: null,
    })
    expect(existsSync(join(folder, 'imported', `${digest}.json`))).toBe(true)
  })
})

describe('time', () => {
  test('never goes backwards, not in another process either', async () => {
    const at = Date.now()
    await withGateway(gateway => approve(gateway, 'ada'), { now: () => at })
    await withGateway(
      async gateway => {
        expect(gateway.time()).toBeGreaterThanOrEqual(at)
        await approve(gateway, 'bob')
      },
      { now: () => at - 60_000, wall: Date.now },
    )
    const times = (await entriesOf(repository)).map(({ statement }) =>
      Date.parse(String(statement.predicate.at)),
    )
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  test('a clock that was set between two processes is recorded before anything else', async () => {
    await withGateway(gateway => approve(gateway, 'ada'))
    const before = (await entriesOf(repository)).length
    const ahead = () => Date.now() + 3_600_000
    await withGateway(gateway => approve(gateway, 'ada'), { now: ahead })
    const [jump, next] = (await entriesOf(repository)).slice(before)
    expect(jump).toMatchObject({ kind: 'clock-jump' })
    expect(jump?.statement.predicate).toMatchObject({ where: 'between-processes' })
    expect(Math.abs(Number(jump?.statement.predicate.by) - 3_600_000)).toBeLessThan(60_000)
    expect(next?.kind).toBe('approval')
  })

  test('a clock that is set while a process runs is recorded once', async () => {
    let ahead = 3_600_000
    const before = (await entriesOf(repository)).length
    await withGateway(
      async gateway => {
        await approve(gateway, 'ada')
        ahead = 7_200_000
        await Promise.all(['ada', 'bob', 'eve'].map(by => approve(gateway, by)))
      },
      { now: () => Date.now() + ahead },
    )
    const kinds = (await entriesOf(repository)).slice(before).map(({ kind }) => kind)
    expect(kinds).toEqual(['approval', 'clock-jump', 'approval', 'approval', 'approval'])
  })

  const clocks = (wall: number, uptime: number, boot = 'a'): Clocks => ({ wall, uptime, boot })
  test.each([
    ['both go the same way', clocks(0, 0), clocks(9000, 9000), undefined],
    ['they part by two seconds', clocks(0, 0), clocks(9000, 7000), undefined],
    ['the clock runs ahead', clocks(0, 0), clocks(9001, 7000), 2001],
    ['the clock is set back', clocks(9000, 0), clocks(0, 1000), -10_000],
    ['the machine was off for long', clocks(0, 9000), clocks(99_000, 10, 'b'), undefined],
    ['the clock is behind after a restart', clocks(9000, 9000), clocks(0, 10, 'b'), -9000],
    ['restarts cannot be detected', clocks(0, 0, ''), clocks(9000, 1, ''), undefined],
  ])('when %s', (_, before, after, by) => {
    expect(jumpBetween(before, after, 'in-process')?.by).toBe(by)
  })
})

describe('keys that have successors', () => {
  test.each(['log', 'gateway'])(
    'the %s goes on with its new one, and says so in the log',
    async who => {
      await withGateway(gateway => approve(gateway, 'ada'))
      const before = (await entriesOf(repository)).length
      await keyRotate.run({ holder: who }, repository.app())
      await withGateway(gateway => approve(gateway, 'bob'))
      const entries = (await entriesOf(repository)).slice(before)
      expect(entries.map(({ kind }) => kind)).toEqual(['key-change', 'approval'])
      expect(entries[0]?.statement.predicate).toMatchObject({
        change: 'rotated',
        holder: { kind: who },
        replaced: [expect.stringMatching(/^[0-9a-f]{64}$/)],
      })
    },
  )
})

describe('the last checkpoint', () => {
  test('is kept with the keys and in the folder of the user, and an older ledger is refused', async () => {
    const { root } = repository
    const stateHome = join(root, 'state')
    await withGateway(gateway => approve(gateway, 'ada'), { stateHome })
    const guard = readdirSync(join(stateHome, 'checkpoint')).filter(
      name => !name.endsWith('.place'),
    )
    expect(guard).toHaveLength(1)
    const kept = join(root, '.waybill/keys/checkpoint')
    expect(readFileSync(kept)).toEqual(readFileSync(join(stateHome, 'checkpoint', guard[0] ?? '')))
    execFileSync('cp', ['-a', join(root, '.waybill'), join(root, 'backup')])
    await withGateway(gateway => approve(gateway, 'bob'), { stateHome })
    rmSync(join(root, '.waybill'), { recursive: true })
    execFileSync('cp', ['-a', join(root, 'backup'), join(root, '.waybill')])
    const restored = withGateway(gateway => approve(gateway, 'eve'), { stateHome })
    await expect(restored).rejects.toMatchObject({ code: 'ledger-tampered' })
    expect(existsSync(kept)).toBe(true)
  })
})
