import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { PROGRAM } from '../../test/program.ts'
import { text } from '../cli/render/log-show.ts'
import { part } from '../cli/render/log-tail.ts'
import keyRotate from './key-rotate.ts'
import logShow from './log-show.ts'
import logTail from './log-tail.ts'
import receive from './receive.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'
const ANALYSIS = 'domain-02-analysis'
const plain = (_: string, word: string) => word

let repository: GovernedRepository
let handoff = ''
/** Four entries: sent, accepted, refused as a replay, refused to be sent. */
beforeAll(async () => {
  repository = await openGovernedRepository()
  repository.write('a.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  const { document, handoff: id } = await send.run({ path: 'a.json' }, repository.app())
  handoff = id ?? ''
  await receive.run({ path: document ?? '' }, repository.app())
  await receive.run({ path: document ?? '' }, repository.app())
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  const refused = draftOf(ANALYSIS, 'domain-06-technical')
  refused.context.request.description = `Use ${secret} for it`
  repository.write('b.json', JSON.stringify(refused))
  await send.run({ path: 'b.json' }, repository.app())
})
afterAll(() => repository.remove())

const show = (given: Parameters<typeof logShow.run>[0]) => logShow.run(given, repository.app())

describe('the newest entries', () => {
  test('are shown with what happened, between whom, and by which codes it was refused', async () => {
    const { entries, shown, more, size } = await show({})
    expect([entries.length, shown, more, size]).toEqual([4, null, false, 4])
    expect(entries.map(({ kind }) => kind)).toEqual([
      'handoff-sent',
      'handoff-accepted',
      'handoff-rejected',
      'handoff-rejected',
    ])
    expect(entries[2]).toMatchObject({
      from: PRODUCT,
      to: ANALYSIS,
      ids: { handoff },
      codes: ['agent-handoff/not-replayed'],
      note: 'refused to receive',
    })
  })

  test('hold nothing of what was refused', async () => {
    expect(JSON.stringify([await show({}), await show({ about: '3' })])).not.toMatch(/ghp_|Use /)
  })

  test.each([
    ['a limit', { limit: 1 }, [3], true],
    ['a kind', { kind: 'handoff-accepted' as const }, [1], false],
    ['an agent', { agent: PRODUCT }, [0, 1, 2], false],
    ['an agent and a kind', { agent: ANALYSIS, kind: 'handoff-rejected' as const }, [2, 3], false],
    ['an agent and a limit', { agent: PRODUCT, limit: 2 }, [1, 2], true],
    ['a time that is yet to come', { since: '2999-01-01T00:00:00Z' }, [], false],
    ['a time long ago', { since: '2020-01-01T00:00:00Z' }, [0, 1, 2, 3], false],
  ])('are narrowed by %s', async (_, given, indices, more) => {
    const answer = await show(given)
    expect(answer.entries.map(({ index }) => index)).toEqual(indices)
    expect(answer.more).toBe(more)
  })

  test.each([{ limit: 0 }, { limit: 1.5 }, { since: 'yesterday' }])(
    '%j is refused',
    async given => {
      await expect(show(given)).rejects.toMatchObject({ code: 'usage' })
    },
  )

  test('are a table for people, the newest last', async () => {
    const lines = text(await show({}), plain, repository.app(), false).split('\n')
    expect(lines[2]).toMatch(
      /^2 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}handoff-rejected {2}domain-05-product → domain-02-analysis .*not-replayed$/,
    )
    expect(lines.at(-1)).toMatch(/^4 entries of 4 in urn:waybill:log:/)
  })
})

describe('what a word names', () => {
  test('a handoff is shown with all that happened to it, in full', async () => {
    const { entries, shown } = await show({ about: handoff })
    expect(entries.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(shown?.[1]).toMatchObject({
      inTree: true,
      signatures: [{ verdict: 'good', holder: expect.stringContaining('gateway') }],
      statement: { predicate: { document: { handoff_id: handoff } } },
      tombstone: null,
    })
  })

  test('an entry is found by index, digest, the beginning of its digest, and as audit trails name it', async () => {
    const [entry] = (await show({ about: '1' })).entries
    const digest = entry?.digest ?? ''
    const { origin } = await show({})
    for (const about of [digest, digest.slice(0, 12), `${origin}#${digest}`])
      expect((await show({ about })).entries).toEqual([entry])
  })

  test('nothing is found for another word, which ends with 1 and names what is near', async () => {
    const answer = await show({ about: `${handoff}0` })
    expect(answer).toMatchObject({ entries: [], shown: [], near: [handoff] })
    expect(logShow.failed?.(answer)).toBe(true)
    expect(text(answer, plain, repository.app(), false)).toContain(`did you mean ${handoff}?`)
  })

  test('where nothing was ever recorded there is nothing to show', async () => {
    const empty = await openGovernedRepository()
    const answer = await logShow.run({}, empty.app())
    empty.remove()
    expect(answer).toMatchObject({ size: 0, entries: [] })
    expect(text(answer, plain, repository.app(), false)).toBe('nothing recorded yet')
  })
})

describe('an entry that was changed', () => {
  const file = () => join(repository.root, '.waybill/ledger/content/000')

  test.each([
    [
      'whose content is that of another',
      (lines: string[]) => [lines[0], lines[0], ...lines.slice(2)],
    ],
    [
      'whose signature is another',
      (lines: string[]) => [
        lines[0],
        lines[1]?.replace(/("sig":"ME[QUY]C)..../, '$1AAAA'),
        ...lines.slice(2),
      ],
    ],
    ['that is nothing', (lines: string[]) => [lines[0], '{}', ...lines.slice(2)]],
  ])('%s is distinguished from one that was recorded', async (_, change) => {
    const before = readFileSync(file(), 'utf8')
    writeFileSync(file(), change(before.split('\n')).join('\n'))
    const answer = await show({ about: '1' })
    writeFileSync(file(), before)
    expect(logShow.failed?.(answer)).toBe('ledger-tampered')
  })
})

describe('log tail', () => {
  test('shows the last entries', async () => {
    const { entries } = await logTail.run({ limit: 2 }, repository.app())
    expect(entries.map(({ index }) => index)).toEqual([2, 3])
    const lines = entries.map(entry => part(entry, plain))
    expect(lines[0]).toMatch(/^ {4}2 {2}\S+ \S+ {2}handoff-rejected .*not-replayed$/)
    expect(lines.join('\n').split('\n')).toHaveLength(2)
  })

  test('shows no character that could rewrite a terminal', async () => {
    const [entry] = (await logTail.run({ limit: 1 }, repository.app())).entries
    if (!entry) throw new Error('the log is empty')
    const evil = { ...entry, at: '\u001b[2J', from: 'a\nb', kind: '\u202e', note: '\u001b[1m' }
    expect(part(evil, plain)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  test('follows the log: JSON, one object per line, and Ctrl-C ends it cleanly', async () => {
    const args = ['log', 'tail', '--follow', '--limit', '1', '--format', 'json']
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: repository.root })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    const lines = () => stdout.split('\n').filter(line => line !== '')
    await expect.poll(() => lines().length).toBe(1)
    repository.write('c.json', '{}')
    await receive.run({ path: 'c.json' }, repository.app())
    await expect.poll(() => lines().length).toBe(2)
    const ended = new Promise(resolve => child.on('close', resolve))
    child.kill('SIGINT')
    expect([await ended, stderr]).toEqual([130, ''])
    expect(lines().map(line => JSON.parse(line).index)).toEqual([3, 4])
  })

  test('goes on following when the log gets another key', async () => {
    const stop = new AbortController()
    const app = repository.app({ signal: stop.signal })
    const parts = logTail.parts?.({ follow: true, limit: 1 }, app, 'text')
    const entries = parts?.[Symbol.asyncIterator]()
    await entries?.next()
    await keyRotate.run({ holder: 'log' }, repository.app())
    expect((await entries?.next())?.value).toMatchObject({ kind: 'key-change' })
    stop.abort()
  })
})
