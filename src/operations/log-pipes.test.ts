import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cloneGoverned,
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { PROGRAM } from '../../test/program.ts'
import { waybill } from '../../test/waybill.ts'
import logErase from './log-erase.ts'
import receive from './receive.ts'
import send from './send.ts'

// Logs that hold what never ends, or what is not for this account.

const isAdministrator = process.getuid?.() === 0

let repository: GovernedRepository
beforeAll(async () => {
  repository = await openGovernedRepository()
  repository.write('draft.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
  await send.run({ path: 'draft.json' }, repository.app())
  await send.run({ path: 'draft.json' }, repository.app())
})
afterAll(() => repository.remove())

const memory = () => ({ XDG_STATE_HOME: join(repository.root, 'memory'), NO_COLOR: '1' })

/** Runs the command line. */
const run = (args: readonly string[]) => waybill(args, { cwd: repository.root, env: memory() })

/** Starts the program for an account, and ends it if it waits for ever. */
function runAs(account: { readonly uid?: number; readonly gid?: number }, args: readonly string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    ...{ cwd: repository.root, encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' },
    env: { ...process.env, ...memory() },
    ...account,
  })
}

const makePipe = (file: string) => execFileSync('mkfifo', [file])

const HOSTILE: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': makePipe,
  'a link to what never ends': file => symlinkSync('/dev/zero', file),
  'a file of gigabytes': file => {
    writeFileSync(file, '')
    truncateSync(file, 6 * 2 ** 30)
  },
}

describe.skipIf(process.platform === 'win32')('of a log that another account owns', () => {
  test.each([
    ['checkpoint', 'a pipe'],
    ['checkpoint', 'a link to what never ends'],
    ['checkpoint', 'a file of gigabytes'],
    ['content/000', 'a pipe'],
    ['content/000', 'a file of gigabytes'],
    ['tile/0/000.p/2', 'a pipe'],
    ['tile/entries/000.p/2', 'a link to what never ends'],
    ['.state/tree', 'a pipe'],
    ['.state/keys/*', 'a pipe'],
    ['.state/wal/9', 'a pipe'],
  ])('%s may be %s: it is an error, and no command waits', async (pattern, what) => {
    const copy = join(repository.root, 'copy')
    cpSync(join(repository.root, '.waybill/ledger'), copy, { recursive: true })
    const [name = pattern] = globSync(pattern, { cwd: copy })
    rmSync(join(copy, name), { force: true })
    HOSTILE[what]?.(join(copy, name))
    const { status, stdout, stderr } = await run(['log', 'verify', '--ledger', 'copy'])
    rmSync(copy, { recursive: true })
    expect([1, 2]).toContain(status)
    expect(stdout + stderr).toMatch(/error\[ledger\/|waybill: /)
  })

  test('a key is read from a file alone', async () => {
    const key = join(repository.root, 'pipe')
    makePipe(key)
    for (const file of [key, '/dev/zero']) {
      const erased = logErase.run({ digest: '0', by: 'ada', why: 'x', key: file }, repository.app())
      await expect(erased).rejects.toMatchObject({
        code: 'input-output',
        message: `${file} is not a regular file`,
      })
    }
  })
})

describe.skipIf(process.platform === 'win32')('another account', () => {
  // The administrator may read everything, and so becomes an unprivileged user.
  const unprivileged = isAdministrator ? { uid: 65_534, gid: 65_534 } : {}
  const state = () => join(repository.root, '.waybill')
  beforeAll(() => {
    mkdirSync(join(repository.root, 'memory'), { recursive: true })
    execFileSync('chmod', ['-R', 'a+rX', repository.root])
    chmodSync(join(state(), 'keys'), isAdministrator ? 0o700 : 0)
  })
  afterAll(() => execFileSync('chmod', ['-R', 'u+rwX,go=', state()]))

  test('that may not look at the keys reads and verifies the log all the same', () => {
    const verified = runAs(unprivileged, ['log', 'verify'])
    expect(verified).toMatchObject({ status: 0 })
    expect(verified.stdout).toMatch(/keys\/checkpoint\n\s+this account may not read it/)
    for (const args of [
      ['log', 'show', '0'],
      ['log', 'checkpoint'],
      ['trace', 'domain-05-product'],
    ])
      expect(runAs(unprivileged, args)).toMatchObject({ status: 0, stderr: '' })
  })

  test('takes no other listed log for the one that is kept here, whatever its files say', async () => {
    const clone = await cloneGoverned(repository)
    const [ledger, config] = [join(state(), 'ledger'), join(repository.root, 'waybill.yaml')]
    const [kept, before] = [`${ledger}-kept`, readFileSync(config, 'utf8')]
    try {
      clone.write('draft.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
      await receive.run({ path: 'draft.json' }, clone.app())
      renameSync(ledger, kept)
      cpSync(join(clone.root, '.waybill/ledger'), ledger, { recursive: true })
      execFileSync('chmod', ['-R', 'a+rX', ledger])
      const reading = [
        ['log', 'show'],
        ['log', 'verify'],
        ['lock', 'verify'],
      ]
      for (const args of reading) expect(runAs(unprivileged, args).status).not.toBe(0)
      writeFileSync(config, readFileSync(join(clone.root, 'waybill.yaml')))
      for (const args of reading)
        expect(runAs(unprivileged, args)).toMatchObject({
          ...{ status: 2, stdout: '' },
          stderr: expect.stringContaining('cannot determine which log is kept here'),
        })
    } finally {
      writeFileSync(config, before)
      rmSync(ledger, { recursive: true })
      renameSync(kept, ledger)
      clone.remove()
    }
  })

  test('gets an explanation where it would need the keys, or local state at all', () => {
    for (const args of [['key', 'list'], ['send', 'draft.json'], ['doctor']]) {
      const { status, stdout, stderr } = runAs(unprivileged, args)
      expect({ args, status }).toEqual({ args, status: 2 })
      expect(stdout + stderr).not.toContain('internal error')
    }
    chmodSync(state(), isAdministrator ? 0o700 : 0)
    const { status, stdout, stderr } = runAs(unprivileged, ['doctor'])
    chmodSync(state(), 0o755)
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    expect(stdout).toContain('EACCES')
  })
})

test('a log that stands here without the keys that say which it is counts as the one that is listed', async () => {
  const [keys, config] = [
    join(repository.root, '.waybill/keys'),
    join(repository.root, 'waybill.yaml'),
  ]
  const before = readFileSync(config, 'utf8')
  renameSync(keys, `${keys}-away`)
  try {
    expect(await run(['log', 'show', '0'])).toMatchObject({ status: 0, stderr: '' })
    expect((await run(['log', 'export'])).stdout).toContain('"specversion"')
    writeFileSync(config, before.replace(/^trust:[\s\S]*?(?=^\S|$(?![\s\S]))/m, ''))
    for (const args of [['log', 'show'], ['lock', 'verify'], ['lock']])
      expect({ args, ...(await run(args)) }).toMatchObject({
        ...{ args, status: 2, stdout: '' },
        stderr: expect.stringContaining('cannot determine which log is kept here'),
      })
  } finally {
    writeFileSync(config, before)
    renameSync(`${keys}-away`, keys)
  }
})

test.skipIf(process.platform === 'win32')(
  'a link that leads nowhere among what was promised last is an error with its place',
  async () => {
    const link = join(repository.root, '.waybill/ledger/.state/wal/9')
    symlinkSync('/nowhere', link)
    const { status, stderr } = await run(['send', 'draft.json'])
    rmSync(link)
    expect(status).toBe(2)
    expect(stderr).toContain('wal/9 cannot be read')
    expect(await run(['send', 'draft.json'])).toMatchObject({ status: 0 })
  },
)

test.skipIf(process.platform === 'win32')(
  'an item in the place of the contents is reported by each reader and writer',
  async () => {
    const file = join(repository.root, '.waybill/ledger/content/000')
    const before = readFileSync(file)
    rmSync(file)
    makePipe(file)
    const shown = await run(['log', 'show', '0'])
    expect(shown).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is not a regular file'),
    })
    // What is recorded is kept, and the next process that records publishes it.
    const sent = await run(['send', 'draft.json'])
    expect(sent).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is not a regular file'),
    })
    rmSync(file)
    writeFileSync(file, before)
    expect((await run(['send', 'draft.json'])).stderr).toBe('')
    expect(await run(['log', 'show', '3'])).toMatchObject({ status: 0 })
  },
)
