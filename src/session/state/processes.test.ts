import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROGRAM } from '../../../test/program.ts'
import { AT_GATE, FILE, openStateFolder, stateFixture } from '../../../test/state-folder.ts'
import { waybill } from '../../../test/waybill.ts'
import { readRecords, sha256 } from '../../workspace/index.ts'

let state: ReturnType<typeof openStateFolder>
beforeEach(() => {
  state = openStateFolder()
  state.write('waybill.yaml', '# a root\n')
})
afterEach(() => state.remove())

interface Answer {
  readonly status: number | null
  readonly signal: string | null
  readonly output: string
  readonly errors: string
}

function start(line: readonly string[], detached = false) {
  return spawn(process.execPath, [PROGRAM, 'state', ...line, '--format', 'json'], {
    cwd: state.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
}

async function run(...line: readonly string[]): Promise<Answer> {
  const child = start(line)
  const said = { output: '', errors: '' }
  child.stdout.on('data', data => (said.output += data))
  child.stderr.on('data', data => (said.errors += data))
  const [status, signal] = await once(child, 'close')
  return { status, signal, ...said }
}

/** Runs the command line in this process. */
const answered = (...line: readonly string[]) =>
  waybill(['state', ...line, '--format', 'json'], { cwd: state.root })

/** The records of all moves as a chain: each begins with the bytes that the one before it wrote. */
function chainFrom(digest: string): string[] {
  const { records, broken } = readRecords(state.root)
  expect(broken).toEqual([])
  const after = new Map(records.map(({ before, after }) => [String(before), String(after)]))
  const chain = [digest]
  for (let next = after.get(digest); next; next = after.get(next)) chain.push(next)
  expect(after.size).toBe(records.length)
  return chain
}

const IN_3A = stateFixture('minimal')
  .replace("'4'", "'3A'")
  .replace('Phase5-ArchitectureGate', 'Phase1.3-CoreRulesActivation')

test('of two moves from the same bytes one wins, and the other gets a conflict', async () => {
  const text = state.begin([/$/, AT_GATE])
  const line = ['advance', '--expect', sha256(text)]
  const answers = await Promise.all([run(...line), run(...line)])
  expect(answers.map(({ status }) => status).sort()).toEqual([0, 2])
  const loser = answers.find(({ status }) => status === 2)
  expect(loser?.errors).toMatch(/was changed by another process|is not the file/)
  const won = JSON.parse(answers.find(({ status }) => status === 0)?.output ?? '')
  expect(sha256(state.read())).toBe(won.after)
  expect(chainFrom(sha256(text))).toHaveLength(2)
})

test('of many processes nothing that was answered is lost, and every conflict is reported', async () => {
  state.write(FILE, IN_3A)
  const worker = async (name: number) => {
    const statuses: (number | null)[] = []
    for (let i = 0; i < 3; i++)
      statuses.push((await run('advance', '--to', '3A', '--next', `Phase3B-1-${name}x${i}`)).status)
    return statuses
  }
  const statuses = (await Promise.all([0, 1, 2, 3].map(worker))).flat()
  expect(statuses.filter(status => status !== 0 && status !== 2)).toEqual([])
  const won = statuses.filter(status => status === 0).length
  expect(won).toBeGreaterThan(0)
  const chain = chainFrom(sha256(IN_3A))
  expect(chain).toHaveLength(won + 1)
  expect(chain.at(-1)).toBe(sha256(state.read()))
})

test('a full disk leaves the old file, and no half-written one', () => {
  const text = stateFixture('example').replace('Phase: 5', 'Phase: 5 # the gate')
  state.write(FILE, text)
  // Files of more than 1 or 2 KiB cannot be written: locks are shorter, the state is longer.
  const command = `ulimit -f 2; exec "$0" "$@"`
  const args = ['-c', command, process.execPath, PROGRAM, 'state', 'advance', '--to', '4']
  const { status, stderr } = spawnSync('sh', args, { cwd: state.root, encoding: 'utf8' })
  expect(stderr).toContain('cannot be written')
  expect(status).toBe(2)
  expect(state.read()).toBe(text)
  expect(readdirSync(state.root).filter(name => name.includes(`${FILE}.`))).toEqual([])
  expect(readRecords(state.root).records).toEqual([])
})

/** When each signal comes, in parts of the usual time. */
const PARTS =
  process.env.WAYBILL_LONG_FAULTS === '1'
    ? Array.from({ length: 8 }, (_, i) => 0.6 + i * 0.06)
    : [0.66, 0.84, 0.96]

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '%s at any time leaves the old file or the new one, and the next move works',
  async signal => {
    const old = state.begin([/$/, AT_GATE])
    const before = performance.now()
    const { after } = JSON.parse((await run('advance')).output)
    const whole = performance.now() - before
    const valid = new Set([sha256(old), after])
    for (const part of PARTS) {
      state.write(FILE, old)
      const child = start(['advance'])
      setTimeout(() => child.kill(signal), whole * part)
      await once(child, 'close')
      expect(valid).toContain(sha256(readFileSync(join(state.root, FILE))))
    }
    state.write(FILE, old)
    expect(await run('advance')).toMatchObject({ status: 0 })
  },
)

test('the question about code is answered by the exit code', async () => {
  state.write(FILE, stateFixture('code-needs-gates'))
  expect(await answered('next', '--may-write-code')).toMatchObject({ status: 0 })
  state.write(FILE, stateFixture('minimal'))
  expect(await answered('next', '--may-write-code')).toMatchObject({ status: 1 })
  state.write(FILE, 'Phase: [')
  expect(await answered('next', '--may-write-code')).toMatchObject({ status: 1 })
  expect(await answered('next', '--may-write-code', '--file', 'none.yaml')).toMatchObject({
    status: 2,
  })
})
