import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { check } from '../src/index.ts'
import { fixturesOf } from './fixture.ts'

const CHROMIUM = '/usr/bin/chromium'
const root = join(import.meta.dirname, '..')

/** The checking door and the catalogue in one script for browsers; a Node built-in among them would fail the build. */
const { outputFiles } = await build({
  stdin: {
    contents: `export { check } from './src/index.ts'; export { contracts } from './src/contracts/door.ts'`,
    resolveDir: root,
  },
  bundle: true,
  format: 'iife',
  globalName: 'waybill',
  platform: 'browser',
  mainFields: ['module', 'main'],
  target: 'es2023',
  write: false,
  logLevel: 'silent',
})
const script = outputFiles[0]?.text ?? ''

const samples = [
  'session-context.v1',
  'handoff-document.v1',
  'session-state.v1',
  'mission-task-graph.v1',
].flatMap(id =>
  fixturesOf(id).map(({ file }) => ({
    path: file.slice(file.lastIndexOf('/') + 1),
    text: readFileSync(file, 'utf8'),
  })),
)

test('the checking doors hold no Node built-in and no schema compiler', () => {
  expect(script.length).toBeGreaterThan(100_000)
  expect(
    script.match(
      /require\("(?!ajv\/dist\/runtime)[^"]*|from ?"node:[^"]*|new Function\([^)]*|typebox[^"]{0,40}/i,
    )?.[0],
  ).toBeUndefined()
})

describe.skipIf(!existsSync(CHROMIUM))(
  'in a browser (skipped where Debian’s chromium is absent)',
  () => {
    test('documents get the same verdicts as in Node', async () => {
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          '--no-first-run',
        ],
      })
      try {
        const page = await browser.newPage()
        await page.addScriptTag({ content: script })
        const there = await page.evaluate(async given => {
          const { check } = (
            globalThis as unknown as {
              waybill: { check: (text: string, options: object) => Promise<unknown> }
            }
          ).waybill
          return Promise.all(
            given.map(({ path, text }) => check(text, { path, now: '2026-06-01T12:00:00Z' })),
          )
        }, samples)
        const here = await Promise.all(
          samples.map(({ path, text }) => check(text, { path, now: '2026-06-01T12:00:00Z' })),
        )
        expect(there).toEqual(JSON.parse(JSON.stringify(here)))
        expect(here.some(result => result.accepted)).toBe(true)
        expect(here.some(result => !result.accepted)).toBe(true)
      } finally {
        await browser.close()
      }
    }, 60_000)
  },
)
