import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { openModelServer } from './model-server.ts'
import { AGENTS_ENVIRONMENT, copyNudge } from './nudge-mission.ts'
import { nudgeModel } from './nudge-model.ts'
import { PROGRAM } from './program.ts'

const KEY = 'the-key-of-a-model-that-is-not-there'
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

test('the mission of the example runs on a model, with the same prompts and tools', {
  timeout: 180_000,
}, async () => {
  const database: Database = await openDatabase()
  closing.push(database.remove)
  const server = await openModelServer(nudgeModel)
  closing.push(server.close)
  const copy = copyNudge()
  closing.push(copy.remove)
  const config = readFileSync(join(copy.root, 'waybill.yaml'), 'utf8')
  const switched = config
    .replace(/\{ runner: command, .* \}$/gm, '{ runner: model }')
    .replace('key: NUDGE_MODEL_KEY', `key: NUDGE_MODEL_KEY, url: '${server.url}'`)
  copy.write('waybill.yaml', switched)
  const waybill = (...args: string[]) => run(args, copy.root, database.url)
  await waybill('init', '--quiet')
  const goal = ['--goal', 'Why at night?', '--context', 'ticket=NUDGE-118', '--by', 'ines']
  const output = await waybill('mission', 'run', 'night-messages', ...goal)
  expect(output).toContain('finished')
  expect(output).not.toContain(KEY)
  const asked = server.asked.map(({ text }) => text)
  expect(server.asked.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true)
  expect(asked.some(text => text.includes('You lay the results of others side by side'))).toBe(true)
  expect(asked.some(text => text.includes('Where night messages come from'))).toBe(true)
})

async function run(args: readonly string[], cwd: string, url: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: {
      ...AGENTS_ENVIRONMENT,
      XDG_STATE_HOME: join(cwd, '.waybill/state'),
      DATABASE_URL: url,
      NUDGE_MODEL_KEY: KEY,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const code = await new Promise(resolve => child.on('close', resolve))
  if (code !== 0) throw new Error(output)
  return output
}
