import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentProgram } from '../../../test/agent-program.ts'
import { comesTrue, processesOf } from '../../../test/processes.ts'
import { assignmentOf, type Behaviour, describeRunner } from '../../../test/runner-suite.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import type { RunnerConfig } from '../config.ts'
import type { Assignment, RunContext, Tools } from '../runner.ts'
import { commandRunner } from './command.ts'

const NODE = process.execPath
const KEY = `ghp_${'a1B2'.repeat(9)}`
const PLAIN_SECRET = 'correct horse battery'

/** What behaves like that, as a program. */
const PROGRAMS: Record<Behaviour['does'], (behaviour: never) => string> = {
  answers: ({ text, usage }: Extract<Behaviour, { does: 'answers' }>) => {
    const printed = usage ? JSON.stringify({ ...JSON.parse(text), usage }) : text
    return `process.stdin.resume().on('end', () => process.stdout.write(${JSON.stringify(printed)}))`
  },
  hangs: () => 'setInterval(() => {}, 1000)',
  floods: () =>
    `const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more) }; more()`,
  fails: ({ saying }: Extract<Behaviour, { does: 'fails' }>) =>
    `process.stderr.write(${JSON.stringify(saying)}); process.exitCode = 3`,
}

describeRunner({
  name: 'a program',
  open: async behaviour => {
    const folder = openTestFolder()
    folder.write('agent.mjs', agentProgram(PROGRAMS[behaviour.does](behaviour as never)))
    const file = (name: string) => {
      const path = join(folder.root, name)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    }
    return {
      runner: commandRunner({ runner: 'command', command: [NODE, 'agent.mjs'] }),
      runContext: { root: folder.root, environment: { PATH: process.env.PATH } },
      begun: () => file('begun').length,
      received: () => file('received'),
      left: () => processesOf(folder.root),
      close: async () => folder.remove(),
    }
  },
})

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(async () => {
  await comesTrue(() => processesOf(folder.root).length === 0)
  const left = processesOf(folder.root)
  folder.remove()
  expect(left).toEqual([])
})

interface More {
  readonly config?: Partial<RunnerConfig>
  readonly assignment?: Partial<Assignment>
  readonly runContext?: Partial<RunContext>
}

const run = (command: string[], { config, assignment, runContext }: More = {}) =>
  commandRunner({ runner: 'command', command, ...config }).run(assignmentOf(assignment), {
    root: folder.root,
    environment: { PATH: process.env.PATH },
    signal: new AbortController().signal,
    ...runContext,
  })

const runShell = (script: string, more?: More) => run(['/bin/sh', '-c', script], more)
const runNode = (script: string, more?: More) => {
  folder.write('agent.mjs', script)
  return run([NODE, 'agent.mjs'], more)
}

const here = (name: string) => existsSync(join(folder.root, name))
const numberIn = (name: string) => Number(readFileSync(join(folder.root, name), 'utf8'))
const isThere = (pid: number) => processesOf(folder.root).some(one => one.pid === pid)

test('the assignment is a JSON document on standard input, which then ends', async () => {
  const outcome = await runShell('cat')
  expect(outcome).toEqual({ is: 'returned', answer: assignmentOf() })
})

test('a program works at the root of the repository, and is found there or on the path', async () => {
  folder.write('agents/answer.sh', '#!/bin/sh\nprintf \'{"at": "%s"}\' "$PWD"\n')
  await runShell('chmod +x agents/answer.sh')
  expect(await run(['./agents/answer.sh'])).toEqual({
    is: 'returned',
    answer: { at: folder.root },
  })
})

test.each([
  ['does not exist', ['no-such-agent'], 'the program does not exist'],
  ['does not exist there', ['./no/such/agent'], 'the program does not exist'],
  ['may not be executed', ['./plain.txt'], 'it is not executable'],
  ['is a folder', ['.'], 'it is not executable'],
  ['has a name that no program has', ['a\0b'], 'ERR_INVALID_ARG_VALUE'],
])('a program that %s is missing, which no other attempt will change', async (_, command, why) => {
  folder.write('plain.txt', 'echo no')
  const outcome = await run(command)
  expect(outcome).toMatchObject({ code: 'mission/runner-missing', mayRetry: false })
  expect(outcome).toHaveProperty('message', expect.stringContaining(why))
})

test('it learns of the environment what is named, and who it works for', async () => {
  const environment = {
    PATH: process.env.PATH,
    HOME: '/home/x',
    TZ: 'UTC',
    MY_KEY: 'k',
    ...{ OTHER: 'o', NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '' },
  }
  const outcome = await runNode('process.stdout.write(JSON.stringify(process.env))', {
    config: { environment: ['MY_KEY', 'ABSENT'] },
    runContext: { environment: { ...environment, WAYBILL_TASK: 'not this one' } },
  })
  const answer = outcome.is === 'returned' ? outcome.answer : outcome
  expect(answer).toEqual({
    PATH: environment.PATH,
    HOME: '/home/x',
    TZ: 'UTC',
    TERM: 'dumb',
    MY_KEY: 'k',
    WAYBILL_MISSION: assignmentOf().mission.mission_id,
    WAYBILL_TASK: 'second',
    WAYBILL_ATTEMPT: '3',
    WAYBILL_RUN: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

const tools = (endpoint: Tools['endpoint']): Tools => ({
  endpoint,
  list: async () => [],
  call: async () => ({ isError: true, text: '', ref: '' }),
  close: async () => {},
})

test('it learns where its tools are, and does not tell', async () => {
  const token = 'plain-but-secret-token'
  const means = { tools: tools(async () => ({ url: 'http://127.0.0.1:1/mcp', token })) }
  const script = 'echo "$WAYBILL_MCP_URL $WAYBILL_MCP_TOKEN" >&2; exit 1'
  const outcome = await runShell(script, { runContext: means })
  expect(outcome).toHaveProperty('message', expect.stringContaining('http://127.0.0.1:1/mcp …'))
})

test('nothing is started when the tools of the task cannot be served', async () => {
  const means = { tools: tools(() => Promise.reject(new Error(KEY))) }
  const outcome = await runShell('touch started', { runContext: means })
  expect(outcome).toMatchObject({ code: 'mission/runner-unavailable', mayRetry: true })
  expect(JSON.stringify(outcome)).not.toContain(KEY)
  expect(here('started')).toBe(false)
})

test.each([
  ['exit 3', 'exited with code 3 and wrote nothing'],
  ['echo \'{"artifacts": []}\'; echo broken >&2; exit 1', 'code 1; standard error: broken'],
  ['kill -SEGV $$', 'was killed by SIGSEGV'],
])('%s is a failure, whatever was answered', async (script, message) => {
  const outcome = await runShell(script)
  expect(outcome).toMatchObject({ code: 'mission/runner-failed', mayRetry: true })
  expect(outcome).toHaveProperty('message', expect.stringContaining(message))
})

test('of standard error the end is shown, without secrets, wherever it is cut', async () => {
  const script = `
    process.stderr.write('first ' + 'y'.repeat(3_000_000) + '\\n')
    for (let i = 0; i < 200; i++) process.stderr.write('pad'.repeat(i) + ' ${KEY} ' + process.env.MINE.trim() + ' ')
    process.stderr.write('\\u001b[2J\\u0000last words')
    process.exitCode = 1`
  const outcome = await runNode(script, {
    config: { environment: ['MINE'] },
    runContext: { environment: { PATH: process.env.PATH, MINE: `${PLAIN_SECRET}\n` } },
  })
  const message = outcome.is === 'failed' ? outcome.message : ''
  expect(message).toMatch(/\\u\{0\}last words$/)
  expect(message).not.toMatch(/a1B2a1B2|horse|first/)
  expect(message.length).toBeLessThan(4300)
})

test.each([
  ['bytes that are no UTF-8', String.raw`printf '{"a": "\377\376"}'`, 'not valid UTF-8'],
  ['UTF-16', String.raw`printf '\377\376{\0}\0'`, 'UTF-16'],
  ['a document with a secret that is no JSON', `echo 'token=${KEY}'`, 'not valid JSON'],
  ['usage in words', `echo '{"usage": "a lot"}'`, "'usage' must be"],
  ['usage below nothing', `echo '{"usage": {"inputTokens": -1, "outputTokens": 1}}'`, "'usage'"],
  ['usage in halves', `echo '{"usage": {"inputTokens": 0.5, "outputTokens": 1}}'`, "'usage'"],
  ['boundless usage', `echo '{"usage": {"inputTokens": 1e15, "outputTokens": 1}}'`, "'usage'"],
])('%s: no answer', async (_, script, why) => {
  const outcome = await runShell(script)
  expect(outcome).toMatchObject({ code: 'mission/runner-answer', mayRetry: true })
  expect(outcome).toHaveProperty('message', expect.stringContaining(why))
  expect(JSON.stringify(outcome)).not.toContain(KEY)
})

test('an answer may be anything that is JSON, a prototype too: it is checked elsewhere', async () => {
  expect(await runShell('printf "\\357\\273\\277[1, null]"')).toEqual({
    is: 'returned',
    answer: [1, null],
  })
  const outcome = await runShell(
    `echo '{"__proto__": {"mine": 1}, "usage": {"inputTokens": 1, "outputTokens": 2}}'`,
  )
  expect(JSON.stringify(outcome)).toBe(
    '{"is":"returned","answer":{"__proto__":{"mine":1}},"usage":{"inputTokens":1,"outputTokens":2}}',
  )
})

test.each([
  ['just what it may', 2048, 'returned'],
  ['one byte more', 2049, 'failed'],
])('it writes %s', async (_, size, is) => {
  const script = `process.stdout.write(JSON.stringify('z'.repeat(${size - 2})))`
  expect(await runNode(script, { config: { bytes: 2048 } })).toMatchObject({ is })
})

test('50 MB are ended at their beginning, and with them all processes of the command', async () => {
  const script = "trap '' PIPE; head -c 50000000 /dev/zero | tr '\\0' x; sleep 600; touch done"
  const outcome = await runShell(script)
  expect(outcome).toMatchObject({ code: 'mission/runner-overflow' })
  expect(here('done')).toBe(false)
})

test('very much output on standard error does not block an answer', async () => {
  expect(await runShell("head -c 20000000 /dev/zero >&2; echo '[]'")).toMatchObject({ answer: [] })
})

test.each([
  ['never reads', 'exec 0<&-; echo "[]"'],
  ['reads a little', 'head -c 10 > /dev/null; echo "[]"'],
])('a program that %s may answer all the same', async (_, script) => {
  const inputs = [{ text: 'long '.repeat(2_000_000) }]
  expect(await runShell(script, { assignment: { inputs } })).toMatchObject({ answer: [] })
})

test('a large assignment arrives whole', async () => {
  const inputs = [{ text: 'größer '.repeat(500_000) }]
  const script =
    "let n = 0; process.stdin.on('data', d => { n += d.length }).on('end', () => console.log(n))"
  const { length } = Buffer.from(`${JSON.stringify(assignmentOf({ inputs }))}\n`)
  expect(await runNode(script, { assignment: { inputs } })).toMatchObject({ answer: length })
})

test('one that closes its output and goes on is ended when its time is over', async () => {
  const script = 'echo "[]"; exec 1>&-; echo $$ > pid; sleep 600'
  const outcome = await runShell(script, { config: { seconds: 5 } })
  expect(outcome).toMatchObject({ code: 'mission/runner-timeout', mayRetry: true })
  expect(isThere(numberIn('pid'))).toBe(false)
})

test.each([
  ['in its group', '(sleep 600 & echo $! > child)'],
  ['that holds its output', '{ sleep 600 & echo $! > child; }'],
  ['in a session of its own', "setsid sh -c 'echo $$ > child; exec sleep 600' >/dev/null 2>&1 &"],
  [
    'that ignores being asked',
    'sh -c \'trap "" TERM; echo $$ > child; while :; do sleep 1; done\' &',
  ],
  [
    'far away, which ignores being asked',
    'setsid sh -c \'trap "" TERM; setsid sh -c "trap : TERM; echo \\$\\$ > child; while :; do sleep 1; done" & wait\' &',
  ],
])('a process %s ends with the program that left it', async (_, start) => {
  const outcome = await runShell(`${start}\nuntil [ -s child ]; do sleep 0.02; done; echo '[]'`)
  expect(outcome).toMatchObject({ is: 'returned', answer: [] })
  expect(isThere(numberIn('child'))).toBe(false)
})

test('a program that ignores being asked is made to end, with all that it started', async () => {
  const stop = new AbortController()
  const script = `
    trap '' TERM
    for i in 1 2 3 4 5 6 7 8; do setsid sh -c 'trap "" TERM; while :; do sleep 1; done' & done
    env -i /usr/bin/setsid /bin/sh -c 'trap "" TERM; while :; do /bin/sleep 1; done' &
    touch begun; while :; do sleep 1; done`
  const outcome = runShell(script, { runContext: { signal: stop.signal } })
  expect(await comesTrue(() => processesOf(folder.root).length >= 10 && here('begun'))).toBe(true)
  stop.abort()
  expect(await outcome).toMatchObject({ code: 'mission/runner-cancelled' })
  expect(processesOf(folder.root)).toEqual([])
})

test('a program that is asked to end has a moment to tidy up', async () => {
  const script = "trap 'touch tidied; exit 0' TERM; while :; do sleep 0.05; done"
  await runShell(script, { assignment: { budget: { ms: 5000, tokens: null } } })
  expect(here('tidied')).toBe(true)
})

test('of many that come and go nothing is left', async () => {
  const script = "for i in 1 2 3 4 5 6; do setsid sleep 600 & done; echo '[]'"
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => runShell(script)))
  expect(outcomes.map(({ is }) => is)).toEqual(Array(8).fill('returned'))
  expect(processesOf(folder.root)).toEqual([])
})
