import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type GovernedRepository,
  openGovernedRepository,
} from '../../../test/governed-repository.ts'
import { openHandoffRepository } from '../../../test/handoff-repository.ts'
import { entriesOf } from '../../../test/log-entries.ts'
import { resumeIn, VERIFIED } from '../../../test/resuming.ts'
import { FILE, stateFixture } from '../../../test/state-folder.ts'
import { openTestFolder, SOUND } from '../../../test/test-folder.ts'
import type { Predicate } from '../../governance/index.ts'
import { readRecords, record, sha256 } from '../../workspace/index.ts'
import accept from '../accept.ts'
import init from '../init.ts'
import logShow from '../log-show.ts'
import resume from '../resume.ts'
import advance from '../state-advance.ts'
import trace from '../trace.ts'

const program = join(import.meta.dirname, '../../cli/waybill.ts')
const STATE = stateFixture('minimal')

let repository: GovernedRepository
beforeAll(async () => {
  repository = await openGovernedRepository()
  repository.write(FILE, STATE)
})
afterAll(() => repository.remove())

const waiting = () =>
  readdirSync(join(repository.root, '.waybill/records')).filter(name => name.endsWith('.json'))

const recordsIn = async () =>
  (await entriesOf(repository)).flatMap(({ kind, statement }) =>
    kind === 'record' ? [statement.predicate as unknown as Predicate<'record'>] : [],
  )

test('a move is an entry when it is answered, under the name of its record', async () => {
  const { record } = await advance.run({ to: '4', next: 'Phase4-Again' }, repository.app())
  expect(waiting()).toEqual([])
  const entry = (await recordsIn()).at(-1)
  expect(entry).toMatchObject({
    ids: { record },
    type: 'urn:waybill:record:state-advance',
    record: { subject: { path: FILE, sha256: sha256(readFileSync(join(repository.root, FILE))) } },
  })
  const { records, broken } = readRecords(repository.root)
  expect(records.at(-1)).toEqual(entry?.record)
  expect(broken).toEqual([])
})

test('a receipt and a refusal to resume are entries, too', async () => {
  repository.write('context.json', SOUND)
  await accept.run({ path: 'context.json', session: 's-1' }, repository.app())
  repository.write('handoffs/2026-02-11T14-30-00Z-x.md', '# nothing\n')
  const path = 'handoffs/2026-02-11T14-30-00Z-x.md'
  await resume.run({ path }, repository.app())
  const types = (await recordsIn()).map(({ type }) => type)
  expect(types.slice(-2)).toEqual([
    'urn:waybill:record:accept',
    'urn:waybill:record:resume-refused',
  ])
  expect(waiting()).toEqual([])
})

test('that a person verified a document tells who, on what standing, which document and session', async () => {
  const repo = openHandoffRepository()
  await init.run({}, repo.app())
  const path = repo.handoff('old', 24 * 30)
  repo.commit()
  await resumeIn(repo, { path, session: 's-42', ...VERIFIED })
  const document = sha256(readFileSync(join(repo.root, path)))
  const { entries } = await logShow.run({ kind: 'record' }, repo.app())
  // What was recorded in the same second has no order.
  expect(entries.toSorted((a, b) => `${a.note}`.localeCompare(`${b.note}`))).toMatchObject([
    { by: expect.any(String), standing: null, note: 'resume' },
    { by: 'Grace', standing: 'claimed', note: 'verification: CI is green' },
  ])
  expect(entries.map(({ ids }) => ids)).toMatchObject([
    { document, session: 's-42' },
    { document, session: 's-42' },
  ])
  const { kinds, steps, approvals } = await trace.run({ id: document }, repo.app())
  expect(kinds).toEqual(['document'])
  expect(steps).toHaveLength(2)
  expect(approvals).toMatchObject([{ by: 'Grace', standing: 'claimed' }])
  expect((await trace.run({ id: 's-42' }, repo.app())).steps).toHaveLength(2)
  repo.remove()
})

test('a record that says that it is proved is only claimed', async () => {
  const type = 'urn:waybill:record:verification'
  const by = { by: 'Mallory', at: '2026-01-01T00:00:00Z', standing: 'proved' }
  record(repository.root, { type, ...by, subject: { path: 'x', sha256: 'no digest' } })
  await advance.run({ to: '4', next: 'Phase4-Proved' }, repository.app())
  const { entries } = await logShow.run({ kind: 'record' }, repository.app())
  const entry = entries.find(one => one.by === 'Mallory')
  expect(entry).toMatchObject({ standing: 'claimed' })
  expect(Object.keys(entry?.ids ?? {})).toEqual(['record'])
})

test('what records nothing does not open the log', async () => {
  const before = (await entriesOf(repository)).length
  const notices: string[] = []
  const release = holdFromElsewhere()
  const app = repository.app({ tell: line => void notices.push(line) })
  expect(await advance.run({ to: '6' }, app)).toMatchObject({ accepted: false })
  release()
  expect(notices).toEqual([])
  expect((await entriesOf(repository)).length).toBe(before)
})

/** The lock of the log as a process of another machine would hold it. */
function holdFromElsewhere(): () => void {
  const file = join(repository.root, '.waybill/ledger')
  const folder = join(repository.root, '.waybill/locks', sha256(file).slice(0, 32))
  const highest = Math.max(...readdirSync(folder).map(Number).filter(Number.isInteger))
  const holder = join(folder, String(highest + 1))
  writeFileSync(holder, JSON.stringify({ host: 'elsewhere', pid: 1, started: 'x' }))
  return () => rmSync(holder)
}

/** Changes the checkpoint of the log. */
function tamper(): () => void {
  const file = join(repository.root, '.waybill/ledger/checkpoint')
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(/^[0-9]+$/m, size => String(Number(size) + 1)),
  )
  return () => writeFileSync(file, text)
}

test.each([
  ['held elsewhere', holdFromElsewhere, /on another machine/],
  ['not what it was', tamper, /not in the log yet: .*checkpoint/],
])(
  'where the log is %s, the work is done, the record waits, and a message says so',
  async (_, spoil, words) => {
    const notices: string[] = []
    const mend = spoil()
    const app = repository.app({ tell: line => void notices.push(line) })
    const { accepted, record } = await advance.run({ to: '4', next: 'Phase4-Later' }, app)
    expect(accepted).toBe(true)
    expect(notices.join()).toMatch(words)
    expect(waiting()).toEqual([`${record}.json`])
    mend()
    const next = await advance.run({ to: '4', next: 'Phase4-LaterStill' }, app)
    expect(waiting()).toEqual([])
    const last = (await recordsIn()).slice(-2).map(({ ids }) => ids.record)
    // What was recorded in the same second has no order.
    expect(last.sort()).toEqual([record, next.record].sort())
    expect(notices).toHaveLength(1)
  },
)

/** Says on standard error which modules of the log and of governance are loaded. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (/\\/src\\/(ledger|governance)\\//.test(url)) process.stderr.write('loaded ' + url + '\\n')
  return next(url, context)
} })`)}`

function runTelling(root: string) {
  const args = [
    '--import',
    TELL_LOADED,
    program,
    'state',
    'advance',
    '--to',
    '4',
    '--next',
    'Phase4-X',
  ]
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}

test('without keys nothing of the log is loaded', () => {
  const folder = openTestFolder()
  folder.write(FILE, STATE)
  const { status, stderr } = runTelling(folder.root)
  folder.remove()
  expect(stderr).not.toContain('loaded')
  expect(status).toBe(0)
  expect(runTelling(repository.root).stderr).toContain('/src/ledger/')
})

test('of work at the same time in one process every record is an entry', async () => {
  const moves = [0, 1, 2, 3, 4, 5].map(i =>
    advance.run({ to: '4', next: `Phase4-Together${i}` }, repository.app()),
  )
  const done = await Promise.allSettled(moves)
  const records = done.flatMap(one => (one.status === 'fulfilled' ? [one.value.record] : []))
  expect(records.length).toBeGreaterThan(0)
  const entries = (await recordsIn()).map(({ ids }) => ids.record)
  expect(entries.filter(name => records.includes(name ?? '')).sort()).toEqual(records.sort())
  expect(waiting()).toEqual([])
})

/** Moves the state once per call, and counts the results. */
const writer = join(import.meta.dirname, '../../../bench/writer.ts')

test('of moves by several processes none is lost, and all are in the log once', async () => {
  const before = (await recordsIn()).length
  const work = async (): Promise<{ moved: number; conflicts: number }> => {
    const child = spawn(process.execPath, [writer, repository.root, '5'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', data => {
      said += data
    })
    await once(child, 'close')
    return JSON.parse(said)
  }
  const counts = await Promise.all([0, 1, 2, 3].map(work))
  const moved = counts.reduce((sum, count) => sum + count.moved, 0)
  expect(moved + counts.reduce((sum, count) => sum + count.conflicts, 0)).toBe(20)
  const names = (await recordsIn()).slice(before).map(({ ids }) => ids.record)
  expect(names).toHaveLength(moved)
  expect(new Set(names).size).toBe(moved)
  expect(waiting()).toEqual([])
})
