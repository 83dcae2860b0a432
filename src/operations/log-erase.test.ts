import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { waybill } from '../../test/waybill.ts'
import { text } from '../cli/render/log-erase.ts'
import { text as showText } from '../cli/render/log-show.ts'
import { record } from '../workspace/index.ts'
import logErase from './log-erase.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'
import receive from './receive.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'
const ANALYSIS = 'domain-02-analysis'
const PRIVATE = 'Erika Mustermann lives in Example Street 12'
const plain = (_: string, word: string) => word

const opened: GovernedRepository[] = []
afterAll(() => {
  for (const repository of opened) repository.remove()
})

/** A repository in whose log a handoff was sent (entry 0) and accepted (entry 1) that holds what is private. */
async function leaked(config: string): Promise<{ repository: GovernedRepository; path: string }> {
  const repository = await openGovernedRepository(config)
  opened.push(repository)
  const draft = draftOf(PRODUCT, ANALYSIS)
  draft.context.request.description = PRIVATE
  repository.write('a.json', JSON.stringify(draft))
  const { document } = await send.run({ path: 'a.json' }, repository.app())
  const path = document ?? ''
  expect((await receive.run({ path }, repository.app())).answer).toBe('accepted')
  return { repository, path }
}

const WHY = { by: 'ada', why: 'names a customer' }
const NAMED = { by: WHY.by, reason: WHY.why, standing: 'claimed' }

/** Every file below a folder that holds a text, in plain or as payloads have it. */
function holding(folder: string, words: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files.flatMap(entry => {
    if (!entry.isFile()) return []
    const file = join(entry.parentPath, entry.name)
    const content = readFileSync(file, 'latin1')
    const payloads = [...content.matchAll(/"payload":"([^"]+)"/g)].map(([, payload]) =>
      Buffer.from(payload ?? '', 'base64').toString('latin1'),
    )
    return [content, ...payloads].some(one => one.includes(words)) ? [file] : []
  })
}

describe('an entry that holds what may not be kept', () => {
  let repository: GovernedRepository
  let path = ''
  beforeAll(async () => {
    const made = await leaked('people: claimed\n')
    repository = made.repository
    path = made.path
  })
  const erase = (digest: string, given = WHY) =>
    logErase.run({ digest, ...given }, repository.app())
  const shown = async (about: string) => (await logShow.run({ about }, repository.app())).shown?.[0]

  test.each([
    ['a call without a person', { by: '', why: 'x' }],
    ['a person without a reason', { by: 'ada', why: ' ' }],
    ['a reason with a credential', { by: 'ada', why: `password=${'x7Kq9'.repeat(4)}` }],
  ])('is not erased by %s', async (_, given) => {
    await expect(erase('1', given)).rejects.toMatchObject({ code: 'usage' })
    expect((await shown('1'))?.state).toBe('kept')
  })

  test('is erased by its index or digest alone: what names several erases none', async () => {
    const id = path.replace('.json', '')
    await expect(erase(id)).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('0, 1'),
    })
    await expect(erase('99')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('gives way to a tombstone; who, when and why are an entry, and the tree is the same', async () => {
    const before = await shown('1')
    const done = await erase(before?.digest ?? '')
    expect(done).toMatchObject({ outcome: 'erased', index: 1, standing: 'claimed' })
    expect(done.receipt?.index).toBe(2)
    const after = await shown('1')
    expect(after).toMatchObject({
      state: 'erased',
      digest: before?.digest,
      leaf: before?.leaf,
      inTree: true,
      kind: 'handoff-accepted',
      ids: before?.ids,
      agents: before?.agents,
      statement: null,
      tombstone: { by: 'ada', reason: WHY.why, at: done.at, erasure: 2 },
      ...{ by: 'ada', standing: 'claimed' },
    })
    const app = repository.app()
    const page = showText(await logShow.run({ about: '1' }, app), plain, app, false)
    expect(page).toMatch(/^ {2}who +domain-05-product, domain-02-analysis$/m)
    expect(page).toMatch(/^ {2}erased +by ada \(claimed\) at /m)
    expect(await shown('2')).toMatchObject({
      kind: 'erasure',
      ids: { entry: before?.digest, handoff: before?.ids.handoff },
      statement: { predicate: { digest: before?.digest, index: 1, reason: WHY.why } },
    })
  })

  test('tells what still holds it, and after that entry nothing in the ledger does', async () => {
    const erased = await erase('1')
    expect(erased).toMatchObject({ outcome: 'was-erased', receipt: null, at: expect.any(String) })
    expect(erased.alsoHolding).toMatchObject([{ index: 0, kind: 'handoff-sent' }])
    expect(erased.beside).toEqual(
      expect.arrayContaining([path, path.replace('.json', '.dsse.json')]),
    )
    const ledger = join(repository.root, '.waybill')
    expect(holding(ledger, 'Mustermann')).toHaveLength(1)
    expect((await erase('0')).alsoHolding).toEqual([])
    expect(holding(ledger, 'Mustermann')).toEqual([])
    const page = text(erased, plain, repository.app(), false)
    expect(page).toContain('entry 0 (handoff-sent) holds the same handoff: waybill log erase 0')
    expect(page).toContain('their copies in Git history')
    expect(text(erased, plain, repository.app(), true)).toBe(
      '! entry 0 (handoff-sent) holds the same handoff: waybill log erase 0',
    )
  })

  test('is not erased twice: asking again records nothing', async () => {
    const { size } = await logShow.run({}, repository.app())
    expect((await erase('1')).outcome).toBe('was-erased')
    expect((await logShow.run({}, repository.app())).size).toBe(size)
  })

  test('cannot be replayed by another process, and cannot be sent again', async () => {
    const run = (...args: string[]) =>
      waybill([...args, '--format', 'json'], { cwd: repository.root })
    const received = await run('receive', path)
    expect(received.status).toBe(1)
    expect(JSON.parse(received.stdout).diagnostics).toMatchObject([
      { code: 'agent-handoff/not-replayed' },
    ])
    const draft = draftOf(PRODUCT, ANALYSIS, { handoff_id: path.replace('.json', '') })
    repository.write('again.json', JSON.stringify(draft))
    const sent = await run('send', 'again.json', '--to', 'outbox')
    expect(JSON.parse(sent.stdout).diagnostics).toMatchObject([
      { code: 'agent-handoff/not-replayed' },
    ])
  })

  test('is reported as erased by log verify, never as missing', async () => {
    const report = await logVerify.run({}, repository.app())
    expect(report.faults).toEqual([])
    expect(report).toMatchObject({
      verified: true,
      erased: [
        { index: 0, by: 'ada', recorded: 3 },
        { index: 1, by: 'ada', recorded: 2 },
      ],
    })
  })

  test('an erasure cannot be erased itself', async () => {
    await expect(erase('2')).rejects.toThrow(/entry 2 \(erasure\) cannot be erased/)
  })
})

describe('where a person has to sign', () => {
  test('a name erases nothing, a key of the person does, and what was signed is recorded', async () => {
    const { repository } = await leaked('')
    const { root } = repository
    const file = join(root, '.waybill/ada')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    const key = readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' ')
    const entry = `trust:\n  - { person: ada, key: "${key}", from: 2026-01-01T00:00:00Z }\n`
    const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
    repository.write('waybill.yaml', config.replace(/^trust:\n/m, entry))
    repository.git('commit', '-q', '-m', 'people', 'waybill.yaml')
    const erase = (more = {}) => logErase.run({ digest: '1', ...WHY, ...more }, repository.app())
    await expect(erase()).rejects.toThrow(/has to sign/)
    expect(await erase({ key: file })).toMatchObject({ outcome: 'erased', standing: 'proved' })
    const { shown } = await logShow.run({ about: '2' }, repository.app())
    const { stated } = (shown?.[0]?.statement?.predicate ?? {}) as { stated: string }
    expect(JSON.parse(stated)).toMatchObject({ index: 1, by: 'ada', why: WHY.why })
  })
})

describe('an erasure that was cut short after it was stated', () => {
  test('is finished by the next call, and stated once', async () => {
    const { repository } = await leaked('people: claimed\n')
    const file = join(repository.root, '.waybill/ledger/content/000')
    const content = readFileSync(file, 'utf8').split('\n')[1] ?? ''
    const done = await logErase.run({ digest: '1', ...WHY }, repository.app())
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.with(1, content).join('\n'))
    // Until then content that is back is reported with the way out, and is not shown.
    const { faults } = await logVerify.run({ quick: false }, repository.app())
    expect(faults).toMatchObject([
      {
        code: 'ledger/erasure-unfinished',
        message: expect.stringMatching(/: run waybill log erase 1$/),
      },
    ])
    const { shown } = await logShow.run({ about: '1' }, repository.app())
    expect(shown).toMatchObject([
      { statement: null, note: expect.stringMatching(/^erased by ada .* waybill log erase 1$/) },
    ])
    const again = await logErase.run({ digest: '1' }, repository.app())
    expect(again).toMatchObject({ outcome: 'erased', receipt: null, at: done.at, ...NAMED })
    expect(readFileSync(file, 'utf8').split('\n')).toEqual(lines)
  })
})

describe('an erasure that fails between its statement and its deed', () => {
  const finish = async (repository: GovernedRepository) => {
    const done = await logErase.run({ digest: '1' }, repository.app())
    expect(done).toMatchObject({ outcome: 'erased', receipt: null, ...NAMED })
    const { entries } = await logShow.run({ kind: 'erasure' }, repository.app())
    expect(entries).toHaveLength(1)
    expect(await logVerify.run({}, repository.app())).toMatchObject({ faults: [], erased: [{}] })
  }

  test('because its process is killed is finished by the next call', async () => {
    const { repository } = await leaked('people: claimed\n')
    const eraser = join(import.meta.dirname, '../../test/killed-eraser.ts')
    const { signal } = spawnSync(process.execPath, [eraser, repository.root, '1'])
    expect(signal).toBe('SIGKILL')
    await finish(repository)
  })

  test('because nothing can be written says what is recorded, and how to finish it', async () => {
    const { repository } = await leaked('people: claimed\n')
    const place = join(repository.root, '.waybill/ledger/.state/tmp')
    let calls = 0
    // Reported before the statement, and before the deed.
    const recording = () => {
      calls++
      if (calls < 2) return
      rmSync(place, { recursive: true, force: true })
      writeFileSync(place, '')
    }
    const app = repository.app({ recording })
    await expect(logErase.run({ digest: '1', ...WHY }, app)).rejects.toMatchObject({
      code: 'input-output',
      message: expect.stringMatching(/^entry 1 is not erased yet: .*tmp/),
      hint: expect.stringMatching(/is recorded: .* waybill log erase 1 to finish$/),
    })
    rmSync(place)
    await finish(repository)
  })
})

describe('a record from before the ledger', () => {
  test('loses its file with its entry', async () => {
    const repository = await openGovernedRepository('people: claimed\n')
    opened.push(repository)
    const at = '2026-02-01T10:00:00Z'
    const type = 'urn:waybill:record:resume'
    const name = record(repository.root, { type, at, by: 'ada', note: PRIVATE })
    repository.write('x.json', '{}')
    await receive.run({ path: 'x.json' }, repository.app())
    const file = join('.waybill/records/imported', `${name}.json`)
    expect(existsSync(join(repository.root, file))).toBe(true)
    const done = await logErase.run({ digest: '0', ...WHY }, repository.app())
    expect(done).toMatchObject({ kind: 'record', removed: [file] })
    expect(holding(join(repository.root, '.waybill'), 'Mustermann')).toEqual([])
    await receive.run({ path: 'x.json' }, repository.app())
    const { entries } = await logShow.run({ kind: 'record' }, repository.app())
    expect(entries).toMatchObject([{ index: 0, state: 'erased', ids: { record: name } }])
  })
})

test.each([
  ['without its ids', () => ({})],
  ['without one of them', ({ handoff: _, ...ids }: Record<string, unknown>) => ids],
  ['with another id', (ids: Record<string, unknown>) => ({ ...ids, task: 't-1' })],
])('a tombstone %s is none that was recorded', async (_, change) => {
  const { repository } = await leaked('people: claimed\n')
  await logErase.run({ digest: '1', ...WHY }, repository.app())
  expect((await logVerify.run({}, repository.app())).verified).toBe(true)
  const content = join(repository.root, '.waybill/ledger/content/000')
  const lines = readFileSync(content, 'utf8').split('\n')
  const { tombstone } = JSON.parse(lines[1] ?? '')
  expect(tombstone.ids).toHaveProperty('handoff')
  lines[1] = JSON.stringify({ tombstone: { ...tombstone, ids: change(tombstone.ids) } })
  writeFileSync(content, lines.join('\n'))
  const { verified, faults } = await logVerify.run({}, repository.app())
  expect(verified).toBe(false)
  expect(faults.map(({ code }) => code)).toContain('ledger/erasure-unrecorded')
})
