import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium, type Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { check } from '../src/index.ts'
import { logProve, send } from '../src/operations/index.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { fixturesOf } from './fixture.ts'
import { draftOf, openGovernedRepository } from './governed-repository.ts'
import { type checkEvidence, type Evidence, sha256 } from './page.ts'

const CHROMIUM = '/usr/bin/chromium'
const root = join(import.meta.dirname, '..')

/** Doors in one script for browsers; a Node built-in among them would fail the build. */
async function scriptOf(contents: string, globalName: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'iife',
    globalName,
    platform: 'browser',
    mainFields: ['module', 'main'],
    target: 'es2023',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

const checking = await scriptOf(
  `export { check } from './src/index.ts'; export { contracts } from './src/contracts/door.ts'`,
  'waybill',
)
const proving = await scriptOf(`export { checkEvidence } from './test/page.ts'`, 'page')
const ledger = await scriptOf(`export * from './src/ledger/door.ts'`, 'ledger')

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

test.each([
  ['checking', checking, 100_000],
  ['ledger', ledger, 20_000],
])('the %s doors hold no Node built-in and no schema compiler', (_, script, size) => {
  expect(script.length).toBeGreaterThan(size)
  expect(
    script.match(
      /require\("(?!ajv\/dist\/runtime)[^"]*|from ?"node:[^"]*|new Function\([^)]*|typebox[^"]{0,40}/i,
    )?.[0],
  ).toBeUndefined()
})

test('the ledger door is small: who checks proofs needs no contracts', () => {
  expect(ledger.length).toBeLessThan(100_000)
})

test.each([0, 1, 55, 56, 63, 64, 65, 1000])('the hash of the page is SHA-256 of %i bytes', size => {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7 + size) % 256)
  expect(Buffer.from(sha256(bytes))).toEqual(createHash('sha256').update(bytes).digest())
})

/** Does something in a page that a browser takes for safe, as signatures are only checked there; nothing leaves the machine. */
async function inPage<T>(script: string, work: (page: Page) => Promise<T>): Promise<T> {
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
    await page.route('**/*', route => route.fulfill({ contentType: 'text/html', body: '' }))
    await page.goto('https://waybill.test/')
    await page.addScriptTag({ content: script })
    return await work(page)
  } finally {
    await browser.close()
  }
}

/** What the receiver of a handoff gets, and the public keys that the receiver trusts. */
async function evidenceOfRealLog(): Promise<Evidence> {
  const repository = await openGovernedRepository()
  try {
    const app = repository.app()
    for (const name of ['first', 'second', 'third']) {
      const draft = draftOf('domain-05-product', 'domain-02-analysis')
      repository.write(`${name}.json`, JSON.stringify(draft))
    }
    await send.run({ path: 'first.json' }, app)
    const { receipt, origin } = await send.run({ path: 'second.json' }, app)
    await send.run({ path: 'third.json' }, app)
    const { proof, leaf } = await logProve.run({ entry: String(receipt.index) }, app)
    const { trust = [] } = await loadConfig(repository.root)
    const keyOf = (kind: 'log' | 'gateway') =>
      trust.flatMap(one => (kind in one ? [one.key] : []))[0] ?? ''
    const gateway = Buffer.from(keyOf('gateway'), 'base64')
    return {
      origin,
      logKey: keyOf('log'),
      gatewayKey: gateway.toString('hex'),
      gatewayKeyid: createHash('sha256').update(gateway).digest('hex'),
      proof,
      leaf: leaf ?? '',
      receipt,
    }
  } finally {
    repository.remove()
  }
}

const damaged = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

describe.skipIf(!existsSync(CHROMIUM))(
  'in a browser (skipped where Debian’s chromium is absent)',
  () => {
    test('documents get the same verdicts as in Node', async () => {
      const there = await inPage(checking, page =>
        page.evaluate(async given => {
          const { check } = (
            globalThis as unknown as {
              waybill: { check: (text: string, options: object) => Promise<unknown> }
            }
          ).waybill
          return Promise.all(
            given.map(({ path, text }) => check(text, { path, now: '2026-06-01T12:00:00Z' })),
          )
        }, samples),
      )
      const here = await Promise.all(
        samples.map(({ path, text }) => check(text, { path, now: '2026-06-01T12:00:00Z' })),
      )
      expect(there).toEqual(JSON.parse(JSON.stringify(here)))
      expect(here.some(result => result.accepted)).toBe(true)
      expect(here.some(result => !result.accepted)).toBe(true)
    })

    test('a proof and a receipt of a real log are verified, and damaged ones are not', async () => {
      const sound = await evidenceOfRealLog()
      const { proof, receipt } = sound
      const [sig] = proof.split('\n').slice(-2)
      const forged = damaged(proof, proof.lastIndexOf(sig ?? '') + (sig?.length ?? 0) - 10)
      const index = { ...(receipt as { index: number }), index: 0 }
      const given = [
        sound,
        { ...sound, proof: damaged(proof, proof.indexOf('index') + 12) },
        { ...sound, proof: forged },
        { ...sound, leaf: 'ab'.repeat(32) },
        { ...sound, receipt: index },
        { ...sound, gatewayKeyid: 'ab'.repeat(32) },
      ]
      const answers = await inPage(proving, page =>
        page.evaluate(async all => {
          const { page } = globalThis as unknown as {
            page: { checkEvidence: typeof checkEvidence }
          }
          return Promise.all(all.map(one => page.checkEvidence(one)))
        }, given),
      )
      const fault = { fault: expect.any(String) }
      expect(answers).toEqual([
        { index: 1, promised: true },
        { index: fault, promised: true },
        { index: { fault: expect.stringContaining('signature') }, promised: true },
        { index: fault, promised: true },
        { index: 1, promised: fault },
        { index: 1, promised: { fault: expect.stringContaining('signature') } },
      ])
    })
  },
)
