import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A folder above which nothing is installed. */
const folder = mkdtempSync(join(tmpdir(), 'waybill-absent-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  await build({
    stdin: {
      contents:
        "export { openPolicies } from './decide.ts'; export { openPoliciesClosed } from './closed.ts'",
      resolveDir: import.meta.dirname,
    },
    outfile: join(folder, 'policy.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['@cedar-policy/*'],
    logLevel: 'error',
  })
})

function run(script: string) {
  const file = join(folder, 'run.mjs')
  writeFileSync(file, `import { openPolicies, openPoliciesClosed } from './policy.mjs'\n${script}`)
  return spawnSync(process.execPath, [file], { encoding: 'utf8' })
}

test('loading the module needs no engine', () => {
  const { status, stdout, stderr } = run('console.log(typeof openPolicies)')
  expect([status, stdout, stderr]).toEqual([0, 'function\n', ''])
})

test('opening policies without the engine is an error that says what to install', () => {
  const { stdout, stderr } = run(
    `try { openPolicies('/', {}) } catch ({ name, code, message, hint }) { console.log(JSON.stringify({ name, code, message, hint })) }`,
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    name: 'WaybillError',
    code: 'configuration',
    message: 'the package @cedar-policy/cedar-wasm is missing',
    hint: 'npm install @cedar-policy/cedar-wasm@^4.13.0',
  })
})

test('without the engine whatever a gateway asks is denied, and it is said what to install', () => {
  const { stdout, stderr } = run(
    `console.log(JSON.stringify(openPoliciesClosed('/', {}).decide({ action: 'handoff' })))`,
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({
    decision: 'deny',
    errors: ['the package @cedar-policy/cedar-wasm is missing'],
    determining: [{ id: 'policy/failed', remedy: 'npm install @cedar-policy/cedar-wasm@^4.13.0' }],
  })
})
