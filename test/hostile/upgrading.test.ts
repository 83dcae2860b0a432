import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../test-folder.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const OLD = '{\n  "parcel_version": "1.0.0",\n  "weight": 2\n}\n'
const file = () => join(folder.root, 'a.json')

/** A program that takes a parcel to its newest version, in place. */
function program(): string {
  const from = (path: string) => JSON.stringify(join(import.meta.dirname, path))
  return `
    import { upgradeWith } from ${from('../../src/operations/upgrade.ts')}
    import { CATALOGUE } from ${from('../parcels.ts')}
    const root = ${JSON.stringify(folder.root)}
    const app = { now: 0, root, cwd: root, version: '0', stdin: async () => new Uint8Array() }
    await upgradeWith(CATALOGUE, { paths: ['a.json'], write: true }, app)`
}

/** When each signal comes, in milliseconds. */
const DELAYS =
  process.env.WAYBILL_LONG_FAULTS === '1'
    ? [0, 60, 120, 160, 200, 240, 300, 60_000]
    : [0, 120, 200, 300, 60_000]

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '%s at any point of an upgrade leaves the old document or the new one',
  async signal => {
    const seen = new Set<boolean>()
    for (const delay of DELAYS) {
      writeFileSync(file(), OLD)
      const child = spawn(process.execPath, ['--input-type=module', '-e', program()])
      const timer = setTimeout(() => child.kill(signal), delay)
      await once(child, 'exit')
      clearTimeout(timer)
      const text = readFileSync(file(), 'utf8')
      if (text !== OLD)
        expect(JSON.parse(text)).toMatchObject({ parcel_version: '2.0.0', grams: 908 })
      seen.add(text === OLD)
    }
    // It was neither always too early nor always too late.
    expect(seen).toEqual(new Set([true, false]))
  },
)

test('on a full disk an upgrade says so, and leaves the old document alone', () => {
  writeFileSync(file(), OLD)
  const line = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"'
  const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, program()], {
    encoding: 'utf8',
  })
  expect(status).not.toBe(0)
  expect(stderr).toContain('cannot be')
  expect(readFileSync(file(), 'utf8')).toBe(OLD)
  expect(readdirSync(folder.root).filter(name => name.startsWith('.a.json'))).toEqual([])
})
