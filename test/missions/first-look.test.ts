import { afterAll, beforeAll, expect, test } from 'vitest'
import missionList from '../../src/operations/mission-list.ts'
import type { App } from '../../src/operations/operation.ts'
import { openDatabase } from '../database.ts'
import { openTestServer, type TestServer } from '../embedded.ts'

let server: TestServer
beforeAll(() => {
  server = openTestServer()
})
afterAll(() => server?.remove())

const app = (more: Partial<App> = {}): App => ({
  now: Date.UTC(2026, 5, 1),
  root: server.root,
  cwd: server.root,
  version: '0.0.0',
  stdin: async () => new Uint8Array(),
  environment: { PATH: process.env.PATH ?? '' },
  ...more,
})

test('who looks at missions before the first one finds none, in a database of the repository', async () => {
  const listed = await missionList.run({}, app())
  expect(listed).toEqual({ missions: [], more: false })
})

test('a server of others is not migrated by who only looks, and is told how', async () => {
  const empty = await openDatabase({ migrated: false })
  try {
    const listing = missionList.run({}, app({ databaseUrl: empty.url }))
    await expect(listing).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('waybill mission work as its owner'),
    })
  } finally {
    await empty.remove()
  }
})
