import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { policyRepository } from '../../../test/policies.ts'
import { comesTrue } from '../../../test/processes.ts'
import { toolGuards } from '../../../test/tool-guard.ts'
import { openPolicies } from '../../governance/index.ts'
import { sha256 } from '../../workspace/index.ts'

const open = toolGuards()
const root = policyRepository({
  'tools.cedar': `@reason("no agent may shout")
forbid (principal, action == Waybill::Action::"useTool", resource == Waybill::Tool::"fail");
@reason("leaks are looked at first")
@needs("a look by security")
forbid (principal, action == Waybill::Action::"useTool", resource == Waybill::Tool::"leak");`,
})
afterAll(() => rmSync(root, { recursive: true }))
const policies = openPolicies(root, { policies: 'policies' })

describe('a tool in scope', () => {
  test('is listed as its server describes it', async () => {
    const { tools } = open(['echo'])
    expect(await tools.list()).toEqual([
      {
        name: 'echo',
        description: 'Description by its server here: Repeats a text.',
        inputSchema: expect.objectContaining({ type: 'object', required: ['text'] }),
      },
    ])
  })

  test('is called, and the call is traced without what was said', async () => {
    const { tools, traces } = open(['echo'])
    const { text, isError, ref } = await tools.call('echo', { text: 'hello there' })
    expect([isError, text]).toEqual([
      false,
      expect.stringContaining(`--- ${ref} ---\nhello there\n`),
    ])
    expect(traces).toEqual([
      {
        ref,
        tool: 'echo',
        server: 'here',
        mission: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
        task: 'task_worker_01',
        attempt: 1,
        decision: 'allow',
        policies: ['waybill/tool-scope'],
        argsDigest: sha256('{"text":"hello there"}'),
        resultDigest: sha256('hello there'),
        resultBytes: 11,
        cut: 0,
        isError: false,
        startedAt: expect.stringMatching(/^20.*Z$/),
        ms: expect.any(Number),
      },
    ])
    expect(JSON.stringify(traces)).not.toContain('hello')
  })

  test('is called many times at once, each with its own answer', async () => {
    const { tools, traces } = open(['echo'])
    const words = Array.from({ length: 40 }, (_, i) => `word-${i}-`)
    const results = await Promise.all(words.map(text => tools.call('echo', { text })))
    for (const [i, { text }] of results.entries()) expect(text).toContain(`\nword-${i}-\n`)
    expect(new Set(traces.map(({ ref }) => ref)).size).toBe(40)
  })
})

describe('a call is refused', () => {
  test.each([
    ['of a tool that the task does not have', 'large', {}, /not in the scope.*'echo'/],
    ['of a tool that waybill.yaml does not name', 'unnamed', {}, /has no server/],
    ['that a policy of the repository forbids', 'fail', {}, /shout \(tools\.cedar#1\)/],
    ['that needs input first', 'leak', {}, /it needs a look by security/],
    ['with arguments that are none', 'echo', 'text', /not an object/],
    ['with arguments that are not JSON', 'echo', { text: () => 1 }, /not a JSON value/],
    ['with a key that harms', 'echo', JSON.parse('{"__proto__":{}}'), /__proto__/],
    ['with a key that harms further down', 'echo', { a: [{ constructor: 1 }] }, /constructor/],
    ['with arguments without end', 'echo', { text: 'x'.repeat(300_000) }, /longer than/],
    ['with arguments without bottom', 'echo', nested(40), /levels deep/],
  ])('%s', async (_, name, args, words) => {
    const scope = ['echo', 'fail', 'leak', 'unnamed']
    const { tools, traces } = open(scope, {
      policies,
      missions: { servers: {}, tools: named('echo', 'fail', 'leak', 'large') },
    })
    const { isError, text, ref } = await tools.call(name, args)
    expect([isError, text]).toEqual([true, expect.stringMatching(words)])
    expect(traces).toMatchObject([{ ref, decision: 'deny', server: null, resultDigest: null }])
  })

  test.each([
    ['without what it needs', {}, /\/text is missing/],
    ['with another type', { text: 7 }, /\/text must be of the type string/],
    ['with a word that is not in the list', { text: '', how: 'lowd' }, /'loud' or 'low'/],
    ['with an argument that there is not', { text: '', hwo: 'low' }, /did you mean how/],
  ])('before it reaches the server %s', async (_, args, words) => {
    const { tools, traces } = open(['echo'])
    expect((await tools.call('echo', args)).text).toMatch(words)
    expect(traces).toMatchObject([{ decision: 'allow', isError: true, resultDigest: null }])
  })

  test('and the policies that refused it stand in the trace', async () => {
    const { tools, traces } = open(['fail', 'echo'], { policies })
    await tools.call('fail', {})
    expect(traces).toMatchObject([{ decision: 'deny', policies: ['tools.cedar#1'] }])
    expect((await tools.list()).map(({ name }) => name)).toEqual(['echo'])
  })

  test('of an agent that is kept out, from that moment on', async () => {
    let quarantined = false
    const { tools } = open(['echo'], { quarantined: () => quarantined })
    expect(await tools.call('echo', { text: 'a' })).toMatchObject({ isError: false })
    quarantined = true
    const { text } = await tools.call('echo', { text: 'a' })
    expect(text).toContain('kept out')
    expect(await tools.list()).toEqual([])
  })

  test('where it is unknown whether the agent is kept out', async () => {
    const { tools, traces } = open(['echo'], { quarantined: () => Promise.reject(new Error('no')) })
    expect((await tools.call('echo', { text: 'a' })).text).toContain('could not be evaluated')
    expect(traces).toMatchObject([{ decision: 'deny', policies: [] }])
  })

  test('its answer where it cannot be traced', async () => {
    const { tools } = open(['echo'], { trace: () => Promise.reject(new Error('no database')) })
    const { isError, text } = await tools.call('echo', { text: 'hello' })
    expect([isError, text]).toEqual([true, expect.stringMatching(/withheld/)])
    expect(text).not.toContain('hello')
  })
})

describe('a call ends', () => {
  test('when the task does, and its server gets a notice', async () => {
    const ended = new AbortController()
    const { tools, traces, file, read } = open(['hang'], { signal: ended.signal })
    const call = tools.call('hang', { file: file('task') })
    expect(await comesTrue(() => read('task') !== '')).toBe(true)
    ended.abort()
    expect((await call).text).toContain('was cancelled')
    expect(traces).toMatchObject([{ decision: 'allow', isError: true }])
    await expect(tools.call('hang', {})).rejects.toThrow('closed')
  })

  test('when its caller cancels it, and the next one is answered', async () => {
    const ended = new AbortController()
    const { tools, file, read } = open(['hang', 'echo'])
    const call = tools.call('hang', { file: file('call') }, ended.signal)
    expect(await comesTrue(() => read('call') !== '')).toBe(true)
    ended.abort()
    expect((await call).text).toContain('was cancelled')
    expect(await comesTrue(() => read('call') === 'cancelled\n')).toBe(true)
    expect((await tools.call('echo', { text: 'next' })).text).toContain('next')
  })

  test('when the tools are closed, and is traced by then', async () => {
    const { tools, traces, file, read } = open(['hang'])
    const call = tools.call('hang', { file: file('closed') })
    expect(await comesTrue(() => read('closed') !== '')).toBe(true)
    await tools.close()
    expect(traces).toHaveLength(1)
    expect((await call).isError).toBe(true)
    await expect(tools.list()).rejects.toThrow('closed')
    await expect(tools.endpoint()).rejects.toThrow('closed')
  })
})

const named = (...names: string[]) =>
  Object.fromEntries(names.map(name => [name, { server: 'here' }]))

function nested(depth: number): object {
  let value: object = {}
  for (let level = 1; level < depth; level++) value = { value }
  return value
}
