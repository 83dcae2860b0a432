import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { STORY_NOW, type Tour, TourError, takeTour } from '../examples/tour/tour.ts'
import { contracts } from '../src/contracts/index.ts'
import check from '../src/operations/check.ts'
import { comesTrue, processesOf } from './processes.ts'
import { waybill } from './waybill.ts'

const clone = join(import.meta.dirname, '..')
const nudge = join(clone, 'examples/nudge')
const tour = join(clone, 'examples/tour.ts')
const folder = mkdtempSync(join(tmpdir(), 'waybill-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

const plain: NodeJS.ProcessEnv = {
  ...process.env,
  NO_COLOR: '',
  FORCE_COLOR: '0',
  npm_lifecycle_event: '',
}

function run(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): SpawnSyncReturns<string> {
  const { cwd = folder, env = {} } = options
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...plain, ...env } })
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** The digest of every file of the example. */
function fingerprint(): Record<string, string> {
  const files = globSync('**/*', { cwd: nudge }).sort()
  return Object.fromEntries(
    files
      .filter(file => statSync(join(nudge, file)).isFile())
      .map(file => [file, sha256(join(nudge, file))]),
  )
}

/** A folder for temporary files that should be empty in the end. */
function emptyFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

describe('the example', () => {
  test('is accepted without an error or a warning, and uses every contract', async () => {
    const { summary, documents } = await check.run(
      {},
      {
        now: Date.parse(STORY_NOW),
        root: nudge,
        cwd: nudge,
        version: '0',
        stdin: () => Promise.resolve(new Uint8Array()),
      },
    )
    expect(documents.flatMap(d => d.diagnostics.filter(x => x.severity !== 'info'))).toEqual([])
    expect(summary).toMatchObject({ rejected: 0, errors: 0, warnings: 0 })
    const used = new Set(documents.map(d => d.contract))
    expect([...used].sort()).toEqual(contracts.map(c => c.name).sort())
  })

  test('has the hash of every prompt right, in the lock and in the handoff', () => {
    const { prompts } = JSON.parse(readFileSync(join(nudge, 'agents/prompt-lock.json'), 'utf8'))
    const entries: [string, { file: string; hash: string }][] = Object.entries(prompts)
    expect(entries).toHaveLength(8)
    for (const [id, { file, hash }] of entries)
      expect([id, hash]).toEqual([id, sha256(join(nudge, 'agents', file))])
    const path = join(nudge, 'missions/quiet-hours/delivery-to-scheduling.json')
    const { source_agent, target_agent } = JSON.parse(readFileSync(path, 'utf8'))
    for (const { agent_id, prompt_hash } of [source_agent, target_agent])
      expect(prompt_hash).toBe(prompts[agent_id].hash)
  })

  test('has code whose tests pass', () => {
    const { NODE_TEST_CONTEXT: _, ...env } = plain
    const { status, stdout } = spawnSync(process.execPath, ['--test'], {
      cwd: nudge,
      encoding: 'utf8',
      env,
    })
    expect(stdout).toMatch(/pass 9\b/)
    expect(status).toBe(0)
  })
})

describe('the tour', () => {
  test('shows the break and the mend, runs a mission, and leaves no trace', {
    timeout: 240_000,
  }, async () => {
    const before = fingerprint()
    const TMPDIR = emptyFolder('tour')
    // A database that is there for something else is not even asked.
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing'
    const { status, stdout, stderr } = run([tour], { env: { TMPDIR, DATABASE_URL } })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const verdicts = stdout.match(/^[✓✗] .*documents? (accepted|rejected).*$/gm)
    expect(verdicts).toEqual([
      '✓ 29 documents accepted (0 errors, 0 warnings)',
      '✗ 3 of 29 documents rejected (4 errors, 0 warnings)',
      '✓ 29 documents accepted (0 errors, 0 warnings)',
    ])
    expect(stdout).toContain('+ 4. TBD')
    expect(stdout).toContain('error[handoff-document/no-placeholders]')
    expect(stdout).toContain('- You decide whether a reminder is sent.')
    expect(stdout).toContain('✓ accepted: domain-01-scheduling may run')
    expect(stdout).toContain('! domain-01-scheduling is in quarantine')
    expect(stdout.match(/^ {2}✓ \w+ {2}done/gm)).toHaveLength(7)
    expect(stdout).toMatch(/^✓ [0-9a-f-]{36} finished/m)
    expect(stdout).toContain('"review_status": "approved_with_edits"')
    expect(stdout).toContain('"action_type": "ticket_comment"')
    expect(stdout).toContain('What the mission on night messages found')
    expect(stdout).not.toContain(String.fromCharCode(27))
    expect(await comesTrue(() => processesOf(TMPDIR).length === 0)).toBe(true)
    expect(fingerprint()).toEqual(before)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  const databaseOf = (folder: string) =>
    readdirSync(folder).flatMap(copy => {
      const place = join(folder, copy, 'nudge/.waybill/database')
      return existsSync(place) ? readdirSync(place) : []
    })

  test.each([
    ['at once', (output: string) => output.includes('$ waybill')],
    [
      'while its database is made',
      (_: string, TMPDIR: string) => databaseOf(TMPDIR).some(name => name.startsWith('.new-')),
    ],
    ['in the middle of the mission', (output: string) => output.includes('research  running')],
  ])('removes its copy when it is interrupted %s', async (when, isNow) => {
    const TMPDIR = emptyFolder(`interrupted ${when}`)
    const child = spawn(process.execPath, [tour], { env: { ...plain, TMPDIR } })
    let all = ''
    child.stdout.on('data', chunk => {
      all += chunk
    })
    expect(await comesTrue(() => isNow(all, TMPDIR), 100_000)).toBe(true)
    expect(readdirSync(TMPDIR)).toHaveLength(1)
    child.kill('SIGINT')
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(code).toBe(130)
    expect(readdirSync(TMPDIR)).toEqual([])
    expect(await comesTrue(() => processesOf(TMPDIR).length === 0)).toBe(true)
  })

  test('has the database with its tables where a chapter needs it', {
    timeout: 120_000,
  }, async () => {
    const list = (tour: Tour) => tour.waybill(['mission', 'list'], { exitCode: 0 })
    const chapter = {
      title: 'No mission yet',
      needsDatabase: true,
      run: async (t: Tour) => void (await list(t)),
    }
    await expect(takeTour([chapter])).resolves.toBeUndefined()
  })

  test.each([
    [
      'a command ends with another code than expected',
      { exitCode: 1 },
      "'waybill --version' ended with 0, not with 1",
    ],
    ['an expected text is not shown', { exitCode: 0, shows: ['9.9.9'] }, 'does not show "9.9.9"'],
  ])('fails when %s', async (_, expected, message) => {
    const chapter = {
      title: 'A false one',
      run: async (t: Tour) => {
        await t.waybill(['--version'], expected)
      },
    }
    const failed = takeTour([chapter])
    await expect(failed).rejects.toBeInstanceOf(TourError)
    await expect(failed).rejects.toThrow(message)
  })
})

test('the demo shows a rule that outlives its conversation, and draws what it shows', () => {
  const svg = join(folder, 'demo.svg')
  const { status, stdout, stderr } = run([join(clone, 'examples/demo.ts'), '--svg', svg])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.match(/the standing rule R-001 is about `git push origin main`/g)).toHaveLength(2)
  expect(stdout).toMatch(/✓ [0-9]+ entries of urn:waybill:log:\S+ verified/)
  const drawn = readFileSync(svg, 'utf8')
  for (const text of ['Ada states a rule, once.', 'denied. Waybill: the standing rule R-001'])
    expect(drawn).toContain(text)
})

describe('the tour with paths', () => {
  const broken = { schema_name: 'mission_envelope', schema_version: 'v1' }
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(broken, null, 2))

  test('checks them instead, just as waybill check does', async () => {
    const ours = run([tour, 'broken.json'])
    const env = { NO_COLOR: '', FORCE_COLOR: '0' }
    const real = await waybill(['check', 'broken.json'], { cwd: folder, env })
    expect(ours.status).toBe(1)
    expect(ours.stdout).toContain("'mission_id' is missing")
    expect([ours.stdout, ours.stderr, ours.status]).toEqual([real.stdout, real.stderr, real.status])
  })

  test('ends with 0 for a sound document and with 2 for a path that does not exist', () => {
    const sound = join(nudge, 'missions/quiet-hours/envelope.json')
    expect(run([tour, sound]).status).toBe(0)
    expect(run([tour, 'nowhere.json']).status).toBe(2)
  })

  test('takes them from where npm was started', () => {
    const env = { npm_lifecycle_event: 'start', INIT_CWD: folder }
    expect(run([tour, 'broken.json'], { cwd: clone, env }).status).toBe(1)
  })
})
