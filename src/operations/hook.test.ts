import { readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HandoffRepository, openHandoffRepository } from '../../test/handoff-repository.ts'
import { waybill } from '../../test/waybill.ts'
import { ADAPTERS } from '../hooks/index.ts'
import { readRecords } from '../workspace/index.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

async function hook(event: string, payload: object | string, agent = 'claude-code') {
  const stdin =
    typeof payload === 'string' ? payload : JSON.stringify({ session_id: 's1', ...payload })
  const { status, stdout, stderr } = await waybill(['hook', agent, event], {
    cwd: repo.root,
    stdin,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.startsWith('{') ? JSON.parse(stdout) : stdout
}

const tool = (name: string, input: object) => ({ tool_name: name, tool_input: input })
const write = (path: string) => tool('Write', { file_path: join(repo.root, path), content: 'x' })
const shell = (command: string) => tool('Bash', { command })
const judge = async (payload: object) =>
  (await hook('PreToolUse', payload)).hookSpecificOutput ?? {}
const waybillHere = (...args: string[]) => waybill(args, { cwd: repo.root })
const handOver = (...args: string[]) =>
  waybillHere('handoff', '--state', 'The feed works', '--next', 'Fuzz it', ...args)

const RULES = [
  ...['--rule', 'Never push without a review `scope: git push*`'],
  ...['--rule', 'Vendored code stays as it is `scope: vendor/**`'],
  ...['--rule', 'Be kind'],
]

describe('in a repository that does not use Waybill, hooks are silent', () => {
  test.each(Object.values(ADAPTERS).flatMap(a => Object.keys(a.events).map(e => [a.agent, e])))(
    '%s %s',
    async (agent, event) => {
      const message = { last_assistant_message: '{"source_agent": "a"}' }
      expect(await hook(event, { ...write('a.ts'), ...message }, agent)).toBe('')
      expect(readdirSync(repo.root)).not.toContain('.waybill')
    },
  )
})

test('a folder of repositories is not briefed with the handoffs of one', async () => {
  await handOver(...RULES)
  const cwd = dirname(repo.root)
  expect(readdirSync(cwd)).not.toContain('.git')
  const { stdout } = await waybill(['hook', 'codex', 'SessionStart'], { cwd, stdin: '{}' })
  expect(stdout).toBe('')
})

describe('at the start of a session', () => {
  test('the brief comes with its rules first, and without a handoff one line says how to begin', async () => {
    repo.write('waybill.yaml', '')
    const empty = await hook('SessionStart', { source: 'startup' })
    expect(empty.hookSpecificOutput.additionalContext).toContain('No handoff is in force yet')
    await handOver(...RULES)
    await waybillHere('note', 'Two feeds are enough', '--decision')
    const { hookSpecificOutput } = await hook('SessionStart', { source: 'compact' })
    const text = hookSpecificOutput.additionalContext
    expect(text).toContain('Waybill checks each tool call against R-001 and R-002.')
    expect(text.indexOf('R-003: Be kind')).toBeLessThan(text.indexOf('Fuzz it'))
    expect(text).toContain('Decisions:\n- Two feeds are enough')
  })

  test('rules are given whole even where they exceed the usual size', async () => {
    const rules = Array.from({ length: 30 }, (_, i) => [
      '--rule',
      `Rule ${i} ${'word '.repeat(80)}`,
    ])
    await handOver(...rules.flat())
    const { hookSpecificOutput } = await hook('SessionStart', {})
    expect(hookSpecificOutput.additionalContext).toContain('Rule 29 word')
  })
})

test('after a compression, Gemini CLI is briefed before its next turn, once', async () => {
  await handOver(...RULES)
  await hook('SessionStart', {}, 'gemini-cli')
  expect(await hook('BeforeAgent', {}, 'gemini-cli')).toBe('')
  await hook('PreCompress', {}, 'gemini-cli')
  const { hookSpecificOutput } = await hook('BeforeAgent', {}, 'gemini-cli')
  expect(hookSpecificOutput.additionalContext).toContain('R-003: Be kind')
  expect(await hook('BeforeAgent', {}, 'gemini-cli')).toBe('')
})

describe('before a tool call', () => {
  test.each([
    ['a write', () => write('vendor/a.js'), 'R-002', 'vendor/a.js'],
    ['a shell line that writes', () => shell('cd vendor && echo > a.js'), 'R-002', 'vendor/a.js'],
    ['a command', () => shell('FOO=1 git -c a=b push -f'), 'R-001', 'git push -f'],
  ])('%s that a rule is about is denied with the rule', async (_, payload, rule, match) => {
    await handOver(...RULES)
    const { permissionDecision, permissionDecisionReason: reason } = await judge(payload())
    expect(permissionDecision).toBe('deny')
    expect(reason).toContain(`the standing rule ${rule} is about \`${match}\``)
    expect(reason).toContain('since handoffs/')
    const { records } = readRecords(repo.root, 'urn:waybill:record:hook-denied')
    expect(records).toMatchObject([{ by: 'claude-code', session: 's1', rule }])
  })

  test('what no rule is about goes on without a word', async () => {
    await handOver(...RULES)
    expect(await hook('PreToolUse', write('src/a.ts'))).toBe('')
    expect(await hook('PreToolUse', shell('git status && npm test'))).toBe('')
    expect(readRecords(repo.root).records).toEqual([])
  })

  test('a rule counts from its note on, and no longer once a person ends it', async () => {
    repo.write('waybill.yaml', '')
    await waybillHere('note', 'No new lock files', '--rule', '--scope', '*.lock')
    expect(await judge(write('a/yarn.lock'))).toMatchObject({ permissionDecision: 'deny' })
    await handOver()
    expect(await judge(write('a/yarn.lock'))).toMatchObject({ permissionDecision: 'deny' })
    await handOver('--supersede', 'R-001=the lock moves', '--by', 'Ada')
    expect(await judge(write('a/yarn.lock'))).toEqual({})
  })

  test('a rule about documents holds, and the handoffs stay writable', async () => {
    await handOver('--rule', 'Ada writes the guide `scope: **`')
    expect(await judge(write('docs/guide.md'))).toMatchObject({ permissionDecision: 'deny' })
    expect(await judge(write('handoffs/next.md'))).toEqual({})
  })

  test('an agent cannot write what Waybill knows, and what is damaged is read again', async () => {
    await handOver(...RULES)
    const file = '.waybill/hooks/rules.json'
    expect(await judge(shell(`echo '{}' > ${file}`))).toMatchObject({ permissionDecision: 'deny' })
    for (const text of ['', '{"versions":{},"rules":[]}', '{"versions":{".":"1"},"rules":[1]}']) {
      repo.write(file, text)
      expect(await judge(write('vendor/a.js'))).toMatchObject({ permissionDecision: 'deny' })
    }
  })

  test('rules hold, and a brief is given, where nothing can be kept', async () => {
    await handOver(...RULES)
    repo.write('.waybill/hooks', 'a file, not a folder')
    expect(await judge(write('vendor/a.js'))).toMatchObject({ permissionDecision: 'deny' })
    const { hookSpecificOutput } = await hook('SessionStart', {})
    expect(hookSpecificOutput.additionalContext).toContain('R-003: Be kind')
  })

  test.each([
    [
      'gemini-cli',
      'BeforeTool',
      'run_shell_command',
      { command: 'touch a.js', dir_path: 'vendor' },
    ],
    ['opencode', 'tool.execute.before', 'bash', { command: 'touch a.js', workdir: 'vendor' }],
    [
      'codex',
      'PreToolUse',
      'apply_patch',
      { command: '*** Add File: b\r\n*** Delete File: vendor/a.js\r\n' },
    ],
    [
      'codex',
      'PreToolUse',
      'apply_patch',
      { command: ['apply_patch', '\n*** Add File: vendor/a.js\n'] },
    ],
  ])(
    'a call of %s names its folder and files in its own way',
    async (agent, event, name, input) => {
      await handOver(...RULES)
      const answer = await hook(event, tool(name, input), agent)
      expect(JSON.stringify(answer)).toContain('R-002 is about `vendor/a.js`')
    },
  )

  test('a link does not lead around a rule', async () => {
    await handOver(...RULES)
    repo.write('vendor/a.js', '')
    symlinkSync('vendor', join(repo.root, 'easy'))
    expect(await judge(write('easy/b.js'))).toMatchObject({ permissionDecision: 'deny' })
  })

  test('a file is judged in its own repository, wherever the agent works', async () => {
    await handOver(...RULES)
    const elsewhere = openHandoffRepository()
    const stdin = JSON.stringify(write('vendor/a.js'))
    const call = ['hook', 'claude-code', 'PreToolUse']
    const { stdout } = await waybill(call, { cwd: elsewhere.root, stdin })
    expect(stdout).toContain('"deny"')
    expect(readdirSync(elsewhere.root)).not.toContain('.waybill')
    elsewhere.remove()
  })

  test('a submodule falls under the rules of the repository around it', async () => {
    await handOver(...RULES)
    repo.write('vendor/part/.git', 'gitdir: ../../.git/modules/part')
    const stdin = JSON.stringify(write('vendor/part/a.js'))
    const cwd = join(repo.root, 'vendor/part')
    const { stdout } = await waybill(['hook', 'claude-code', 'PreToolUse'], { cwd, stdin })
    expect(stdout).toContain('"deny"')
  })

  test('a secret in a command does not reach the answer, not even a part of it', async () => {
    await handOver(...RULES)
    const token = `ghp_${'Ab3dE5gH9'.repeat(4)}`
    const { permissionDecisionReason } = await judge(shell(`git push ${'a'.repeat(180)} ${token}`))
    expect(permissionDecisionReason).not.toContain('Ab3dE5')
  })

  test('the user is asked where waybill.yaml says so and the agent can', async () => {
    await handOver(...RULES)
    repo.write('waybill.yaml', 'hooks: { rules: ask }\n')
    expect(await judge(write('vendor/a.js'))).toMatchObject({ permissionDecision: 'ask' })
    const gemini = tool('write_file', { file_path: 'vendor/a.js' })
    expect(await hook('BeforeTool', gemini, 'gemini-cli')).toMatchObject({ decision: 'deny' })
  })

  test('a closed gate denies code, and leaves open the files that open it', async () => {
    await waybillHere('state', 'init')
    const { permissionDecision, permissionDecisionReason } = await judge(write('src/a.ts'))
    expect(permissionDecision).toBe('deny')
    expect(permissionDecisionReason).toContain('code may not be written yet')
    for (const path of ['SESSION_STATE.yaml', 'docs/plan.md', 'handoffs/a.md'])
      expect(await judge(write(path))).toEqual({})
  })

  test('a large file is judged like any other', async () => {
    await handOver(...RULES)
    const content = 'x'.repeat(12 * 1024 ** 2)
    const large = (file: string) => tool('Write', { file_path: file, content })
    expect(await hook('PreToolUse', large('src/a.js'))).toBe('')
    expect(await judge(large('vendor/a.js'))).toMatchObject({ permissionDecision: 'deny' })
  })

  test('a call can be given by flags', async () => {
    await handOver(...RULES)
    const call = ['--tool', 'Bash', '--tool-input', '{"command":"echo > a.js"}']
    const vendor = ['--folder', join(repo.root, 'vendor')]
    const { stdout } = await waybillHere('hook', 'claude-code', 'PreToolUse', ...call, ...vendor)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
  })

  test('a call that cannot be judged is denied where there are rules, unless configured', async () => {
    expect(await hook('PreToolUse', 'no JSON')).toBe('')
    await handOver(...RULES)
    await hook('SessionStart', {})
    expect(await hook('PreToolUse', 'no JSON')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    repo.write('waybill.yaml', 'hooks: { failure: open }\n')
    expect(await hook('PreToolUse', 'no JSON')).toMatchObject({
      systemMessage: expect.stringContaining('could not judge'),
    })
    repo.write('waybill.yaml', 'hooks: nonsense\n')
    repo.write('handoffs/new.md', '')
    expect(await judge(write('src/a.ts'))).toMatchObject({ permissionDecision: 'deny' })
    expect(await judge(write('waybill.yaml'))).toEqual({})
    expect(await judge(shell('npx --no-install waybill doctor'))).toEqual({})
  })
})

test('the last message of a sub-agent is received where it is a session context', async () => {
  repo.write('waybill.yaml', '')
  expect(await hook('SubagentStop', { last_assistant_message: 'Done.' })).toBe('')
  const broken = JSON.stringify({ source_agent: 'x', payload: {}, session_id: 's1' })
  expect(await hook('SubagentStop', { last_assistant_message: broken })).toMatchObject({
    systemMessage: expect.stringContaining('refused'),
  })
  const { records } = readRecords(repo.root, 'urn:waybill:record:accept')
  expect(records).toHaveLength(1)
})

test('an event that Waybill does not answer blocks nothing, and the events that it answers are named', async () => {
  const { status, stdout, stderr } = await waybill(['hook', 'codex', 'PreTool'], { cwd: repo.root })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr).toContain('use SessionStart, PreToolUse')
})
