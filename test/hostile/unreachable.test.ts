import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { draftOf, type GovernedRepository, openGovernedRepository } from '../governed-repository.ts'
import { asPlainUser } from '../plain-user.ts'
import { FAULTY, SOUND } from '../test-folder.ts'
import { type Ran, waybill as run } from '../waybill.ts'

/** Longer than the name of any file. */
const LONG = 'k'.repeat(300)

const CIRCLE = 'its symbolic links form a loop'
const TOO_LONG = 'the name is too long'
const DENIED = 'permission is denied'

let repository: GovernedRepository
const at = (path: string) => join(repository.root, path)
/** Runs the command line: where permission is what counts, as a user who may not read everything. */
const waybill = (command: string, ...places: readonly string[]) =>
  run([...command.split(' '), ...places], { cwd: repository.root })
const plainly = (command: string, ...places: readonly string[]) =>
  asPlainUser(repository.root, ...command.split(' '), ...places)

beforeAll(async () => {
  repository = await openGovernedRepository()
  repository.write('context.json', SOUND)
  const draft = draftOf('domain-05-product', 'domain-02-analysis')
  repository.write('drafts/a.json', JSON.stringify(draft))
  symlinkSync('loop', at('loop'))
  repository.write('closed/x', SOUND)
  chmodSync(at('closed'), 0)
  expect((await waybill('send drafts/a.json')).status).toBe(0)
})

afterAll(() => {
  chmodSync(at('closed'), 0o700)
  repository.remove()
})

/** Expects of the error on a place: the place, why, and on a line of its own what to do about it. */
function expectTold(
  { status, stderr }: Pick<Ran, 'stderr'> & { readonly status: number | null },
  place: string,
  why: string,
) {
  const [first = '', remedy = ''] = stderr.trim().split('\n')
  expect({ status, first, remedy }).toEqual({
    status: 2,
    first: expect.stringContaining(place),
    remedy: expect.stringMatching(/\w/),
  })
  expect(first).toContain(why)
}

test.each([
  ['lock --manifest', LONG, TOO_LONG],
  ['lock --lock', 'loop/x', CIRCLE],
  ['policy check', 'closed/x', DENIED],
  ['send drafts/a.json --to', LONG, TOO_LONG],
  ['receive drafts/a.json --to', 'closed/x', DENIED],
  ['receive drafts/a.json --envelope', 'loop/x', CIRCLE],
  ['resume', 'closed/x', DENIED],
  ['pipeline status --file', 'loop', CIRCLE],
  ['state show --file', 'closed/x', DENIED],
  ['new session-context --draft', `${LONG}.json`, TOO_LONG],
  ['log export --files', 'closed/y', DENIED],
  ['log export --files', '/proc/none/audit', 'cannot be written'],
  ['log export --out', LONG, TOO_LONG],
  ['log verify --ledger', 'closed/x', DENIED],
  ['log verify --policy', 'loop', CIRCLE],
  ['check --root', 'loop', CIRCLE],
])('waybill %s %s: why, and what to do', async (command, place, why) => {
  const ran = why === DENIED ? plainly(command, place) : await waybill(command, place)
  expectTold(ran, place.replace(/\.json$/, ''), why)
})

test('a link that leads nowhere is no place for an export, and stays', async () => {
  symlinkSync('nowhere', at('dead'))
  for (const place of ['dead', 'loop']) {
    const { status, stderr } = await waybill('log export --files', place)
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('exists'),
    })
    expect(lstatSync(at(place)).isSymbolicLink()).toBe(true)
  }
})

test('an export into a folder that may not be written says so', () => {
  mkdirSync(at('kept'), { mode: 0o500 })
  expectTold(plainly('log export --files', 'kept/x'), 'kept/x', DENIED)
})

test('a link among the policies that cannot be followed is a fault of its own', () => {
  repository.write('rules/a.cedar', '')
  symlinkSync('circle', at('rules/circle'))
  symlinkSync('../closed/x', at('rules/there'))
  const { status, stdout } = plainly('policy check rules --format json')
  expect(status).toBe(1)
  const unreadable = (file: string, why: string) =>
    expect.objectContaining({
      code: 'policy/unreadable',
      file: `rules/${file}`,
      message: expect.stringContaining(why),
    })
  expect(JSON.parse(stdout).diagnostics).toEqual([
    unreadable('circle', CIRCLE),
    unreadable('there', DENIED),
  ])
})

test.each(['link', 'file'])(
  'what is staged is checked where a %s has taken its folder',
  async kind => {
    repository.write('gone/a.json', FAULTY)
    repository.git('add', 'gone')
    rmSync(at('gone'), { recursive: true })
    if (kind === 'link') symlinkSync('gone', at('gone'))
    else repository.write('gone', '')
    const { status, stdout } = await waybill('check --staged --format json')
    repository.git('rm', '-q', '--cached', 'gone/a.json')
    rmSync(at('gone'))
    expect(status).toBe(1)
    expect(stdout).toContain('gone/a.json')
  },
)

test('a pipeline whose file is a link in a circle is not said to be missing', async () => {
  symlinkSync('ORCHESTRATION.yaml', at('ORCHESTRATION.yaml'))
  expectTold(await waybill('pipeline status'), 'ORCHESTRATION.yaml', CIRCLE)
})

/** Local state and Git's folder, each out of the way for one test. */
const aside: string[] = []

function takeAway(name: string): void {
  renameSync(at(name), at(`${name}.aside`))
  aside.push(name)
}

afterEach(() => {
  for (const name of aside.splice(0)) {
    rmSync(at(name), { recursive: true, force: true })
    renameSync(at(`${name}.aside`), at(name))
  }
  chmodSync(at('.waybill'), 0o700)
  chmodSync(at('.waybill/keys'), 0o700)
})

test('links in a circle at .git are reported wherever local state is needed, and by the doctor', async () => {
  takeAway('.git')
  symlinkSync('.git', at('.git'))
  expectTold(await waybill('key list'), '.git', CIRCLE)
  const { status, stdout } = await waybill('doctor --format json')
  expect(status).toBe(2)
  expect(JSON.parse(stdout).items).toContainEqual({
    name: 'local state',
    status: 'error',
    message: expect.stringContaining(CIRCLE),
    remedy: expect.any(String),
  })
})

test('links in a circle at .waybill are no folder, and the doctor and init say so too', async () => {
  takeAway('.waybill')
  symlinkSync('.waybill', at('.waybill'))
  expectTold(await waybill('key list'), '.waybill', 'is not a folder')
  expectTold(await waybill('init'), '.waybill', CIRCLE)
  const { status, stdout } = await waybill('doctor --format json')
  expect(status).toBe(2)
  expect(stdout).toContain(CIRCLE)
})

test('local state that this account may not enter is reported as such', () => {
  chmodSync(at('.waybill'), 0o600)
  expectTold(plainly('accept context.json --session s-1'), '.waybill', 'EACCES')
  chmodSync(at('.waybill'), 0o700)
  chmodSync(at('.waybill/keys'), 0o600)
  expectTold(plainly('log witness --cosign context.json'), '.waybill/keys', 'EACCES')
})
