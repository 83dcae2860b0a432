import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  asNobody,
  giveToNobody,
  isOpenToAll,
  openTestServer,
  startApart,
  type TestServer,
  userOf,
} from '../../../test/embedded.ts'
import { NOBODY } from './run-as.ts'
import { findOnSystem } from './system.ts'

const source = join(import.meta.dirname, '../../..')
const isAdministrator = process.getuid?.() === 0
const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const hasNamespaces = works('unshare', '--user', '--map-user=65534', '--map-group=65534', 'true')
/** A user that no system has. */
const NAMELESS = 54_321
const onSystem = findOnSystem('/usr/bin:/bin')

let server: TestServer
beforeEach(() => {
  server = openTestServer()
})
afterEach(() => server.remove())

async function one(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select 1 as one')
  await client.end()
  return rows[0].one
}

const variablesOf = (pid: number) =>
  readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map(entry => entry.split('=')[0])
const recorded = () => JSON.parse(readFileSync(join(server.folder, 'server.json'), 'utf8'))

describe.skipIf(!isAdministrator)(
  'as root (skipped for others, who cannot change their user)',
  () => {
    test('it runs as an unprivileged user, in a folder that no other user enters, and knows nothing of our environment', async () => {
      chmodSync(server.root, 0o700)
      process.env.SECRET_OF_A_TEST = 'x'
      const { url, pid } = await server.start({ way: 'user' })
      delete process.env.SECRET_OF_A_TEST
      expect(await one(url)).toBe(1)
      expect(userOf(pid)).toBe(NOBODY)
      expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Groups:\s*$/m)
      expect(variablesOf(pid)).not.toContain('SECRET_OF_A_TEST')
      expect(variablesOf(pid)).not.toContain('HOME')
      expect(statSync(server.folder)).toMatchObject({ uid: 0 })
      expect(statSync(join(server.folder, 'data'))).toMatchObject({ uid: NOBODY })
      expect(recorded().as).toBe('nobody')
    })

    test.skipIf(!hasNamespaces)(
      'it runs in a namespace (skipped where there are none), on data that root owns',
      async () => {
        const { url, pid } = await server.start({ way: 'namespace' })
        expect(await one(url)).toBe(1)
        expect(userOf(pid)).toBe(0)
        expect(statSync(join(server.folder, 'data'))).toMatchObject({ uid: 0 })
        expect(recorded().as).toContain('namespace')
      },
    )

    test.skipIf(!hasNamespaces)('data change hands when it runs in another way', async () => {
      await server.start({ way: 'user' })
      await server.stop()
      const { url, pid } = await server.start({ way: 'namespace' })
      expect(await one(url)).toBe(1)
      expect(userOf(pid)).toBe(0)
      await server.stop()
      expect(userOf((await server.start({ way: 'user' })).pid)).toBe(NOBODY)
    })

    test('it runs as a user whose the data are', async () => {
      await server.start({ way: 'user' })
      await server.stop()
      execFileSync('chown', ['-R', '12345:12345', join(server.folder, 'data')])
      const { url, pid } = await server.start()
      expect(await one(url)).toBe(1)
      expect(userOf(pid)).toBe(12345)
      expect(recorded().as).toBe('user 12345')
    })

    test('where no way is open it says so, and names DATABASE_URL', async () => {
      await expect(server.start({ way: 'self' })).rejects.toMatchObject({
        code: 'configuration',
        hint: expect.stringContaining('DATABASE_URL'),
      })
    })

    test.each([
      ['root may not become another user', '--bounding-set=-setuid,-setgid', 0],
      ['there are no namespaces either', '--bounding-set=-setuid,-setgid', 1],
    ])('where %s it does what it can', async (_, capabilities, without) => {
      // A program of this name that fails stands for a system that forbids namespaces.
      const programs = join(server.root, 'programs')
      mkdirSync(programs)
      writeFileSync(join(programs, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      const path = without ? `${programs}:/usr/bin:/bin` : '/usr/bin:/bin'
      const start = startApart(
        ['setpriv', capabilities],
        join(source, 'test/starter.ts'),
        server.root,
        { path },
      )
      if (!without && hasNamespaces) {
        const started = await start
        expect(userOf(started?.pid ?? 0)).toBe(0)
        expect(await one(started?.url ?? '')).toBe(1)
      } else await expect(start).rejects.toThrow(/DATABASE_URL/)
    })
  },
)

test.skipIf(!isAdministrator)(
  'as a plain user it runs as that user (others are one already)',
  async () => {
    giveToNobody(server.root)
    const started = await startApart(asNobody, join(source, 'test/starter.ts'), server.root, {
      // Programs in a folder that is closed to him he may read but not run.
      ...(!isOpenToAll && { binaries: 'system' }),
    })
    expect(await one(started?.url ?? '')).toBe(1)
    expect(userOf(started?.pid ?? 0)).toBe(NOBODY)
    expect(recorded().as).toBe('this user')
  },
)

test.skipIf(!isAdministrator || !hasNamespaces || !isOpenToAll)(
  'as a user without a name, as containers have them, it runs in a namespace (skipped where that user is not available)',
  async () => {
    execFileSync('chown', ['-R', `${NAMELESS}:${NAMELESS}`, server.root])
    const as = ['setpriv', `--reuid=${NAMELESS}`, `--regid=${NAMELESS}`, '--clear-groups']
    const start = () => startApart(as, join(source, 'test/starter.ts'), server.root)
    const started = await start()
    expect(await one(started?.url ?? '')).toBe(1)
    expect(userOf(started?.pid ?? 0)).toBe(NAMELESS)
    expect(recorded().as).toBe('this user in a namespace of its own')
    expect(await start()).toEqual(started)
  },
)

describe.skipIf(onSystem.length === 0)(
  "the system's PostgreSQL (skipped where there is none)",
  () => {
    test('is run where it is asked for, and its data need it then', async () => {
      const started = await server.start({ binaries: 'system' })
      expect(started.binaries).toBe('system')
      expect(await one(started.url)).toBe(1)
      const version = readFileSync(join(server.folder, 'data/PG_VERSION'), 'utf8').trim()
      await server.stop()
      await expect(server.start({ binaries: 'bundled' })).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringMatching(new RegExp(`created by PostgreSQL ${version}.*18`)),
        hint: expect.stringContaining('DATABASE_URL'),
      })
      // Without a choice the programs that made the data run.
      expect(await server.start()).toMatchObject({ url: started.url, binaries: 'system' })
    })

    test('is found in its folder, by pg_config and on the path', () => {
      const [first] = onSystem
      expect(findOnSystem('').map(b => b.bin)).toContain(first?.bin)
      expect(findOnSystem(first?.bin ?? '').filter(b => b.bin === first?.bin)).toHaveLength(1)
    })
  },
)

test('data of a PostgreSQL that does not exist are reported, with both versions', async () => {
  mkdirSync(join(server.folder, 'data'), { recursive: true })
  writeFileSync(join(server.folder, 'data/PG_VERSION'), '14\n')
  await expect(server.start()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringMatching(/created by PostgreSQL 14, .*18\.4/),
  })
})
