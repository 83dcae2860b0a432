import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openModelServer } from './model-server.ts'
import { nudgeModel } from './nudge-model.ts'
import { comesTrue, processesOf } from './processes.ts'

const KEY = 'the-key-of-a-model-that-is-not-there'
const folder = mkdtempSync(join(tmpdir(), 'waybill-tour-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('with a key the tour runs its mission on the model, with the same prompts and tools, and ends as without', {
  timeout: 240_000,
}, async () => {
  const server = await openModelServer(nudgeModel)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../examples/tour.ts')], {
    cwd: folder,
    env: {
      ...process.env,
      ...{ FORCE_COLOR: '0', npm_lifecycle_event: '', TMPDIR: folder },
      ...{ NUDGE_MODEL_KEY: KEY, NUDGE_MODEL_URL: server.url },
    },
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  await server.close()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('so a model does the tasks')
  expect(out.match(/^ {2}✓ \w+ {2}done/gm)).toHaveLength(7)
  expect(out).toContain('"review_status": "approved"')
  expect(out).toContain('What the mission on night messages found')
  expect(out).not.toContain(KEY)
  expect(server.asked.length).toBeGreaterThan(7)
  expect(server.asked.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true)
  const texts = server.asked.map(({ text }) => text)
  expect(texts.some(text => text.includes('You lay the results of others side by side'))).toBe(true)
  expect(texts.some(text => text.includes('Where night messages come from'))).toBe(true)
  expect(await comesTrue(() => processesOf(folder).length === 0)).toBe(true)
  expect(readdirSync(folder)).toEqual([])
})
