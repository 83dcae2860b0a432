import { expect, test } from 'vitest'
import { ANSWER, askModel, GOOD, KEY, PROTOCOLS, toolsNoting } from '../../../test/asked-model.ts'
import { openModelServer, type Reply } from '../../../test/model-server.ts'
import { assignmentOf } from '../../../test/runner-suite.ts'
import type { Assignment } from '../runner.ts'
import { modelRunner } from './model.ts'

const SENSELESS = { code: 'mission/runner-answer', says: 'protocol', mayRetry: true }

test('waits as long as the other side says when too much was asked, then continues', async () => {
  const { outcome, asked } = await askModel([
    { status: 429, headers: { 'retry-after': '1' } },
    GOOD,
  ])
  expect(outcome).toMatchObject({ is: 'returned', answer: ANSWER })
  expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(990)
})

test.each([429, 503, 529])('asks four times where the answer is always %d', async status => {
  const { outcome, asked } = await askModel([{ status }])
  expect(outcome).toMatchObject({ code: 'mission/runner-unavailable', mayRetry: true })
  expect(asked).toHaveLength(4)
})

test.each<[string, Record<string, string>]>([
  ['less than nothing', { 'retry-after': '-5' }],
  ['a part of a second', { 'retry-after': '1.5' }],
  ['a day long ago', { 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }],
  ['an empty number next to one that counts', { 'retry-after-ms': '', 'retry-after': '1' }],
])(
  'rests as long as by default, or as the other side says, where that is %s',
  async (_, headers) => {
    const { outcome, asked } = await askModel([{ status: 429, headers }, GOOD], {
      limits: { pause: 200 },
    })
    expect(outcome).toMatchObject({ is: 'returned' })
    const least = headers['retry-after'] === '1' ? 990 : 190
    expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(least)
  },
)

test.each(['61', '3600', '2592000', '9'.repeat(30)])(
  'holds no place of a worker while it rests for %s s',
  async after => {
    const reply = { status: 429, headers: { 'retry-after': after } }
    const { outcome, asked } = await askModel([reply], {
      assignment: { budget: { ms: null, tokens: null } },
    })
    expect(outcome).toMatchObject({ code: 'mission/runner-unavailable', mayRetry: true })
    expect(asked).toHaveLength(1)
  },
)

test('does not wait for longer than it may work', async () => {
  const { outcome, asked } = await askModel([{ status: 429, headers: { 'retry-after': '3600' } }])
  expect(outcome).toMatchObject({ code: 'mission/runner-unavailable', mayRetry: true })
  expect(asked).toHaveLength(1)
})

test.each([
  {
    what: 'a key that is not accepted',
    reply: { status: 401, body: `{"error":{"message":"Incorrect API key: ${KEY}"}}` },
    code: 'mission/runner-refused',
    says: 'variable MODEL_KEY',
    mayRetry: false,
  },
  {
    what: 'a request that is not accepted, which may repeat the key',
    reply: { status: 404, body: `{"error":{"message":"no such model, ${KEY}"}}` },
    code: 'mission/runner-failed',
    says: 'no such model',
    mayRetry: false,
  },
  {
    what: 'a fault of the server',
    reply: { status: 500 },
    code: 'mission/runner-unavailable',
    says: 'status 500',
    mayRetry: true,
  },
  {
    what: 'another address',
    reply: { status: 307, headers: { location: 'http://127.0.0.1:9/v1' } },
    code: 'mission/runner-failed',
    says: 'only the configured URL is used',
    mayRetry: false,
  },
  {
    what: 'a connection that breaks in the middle',
    reply: { breaks: 'reset' },
    code: 'mission/runner-unavailable',
    says: 'broke',
    mayRetry: true,
  },
  { what: 'events that are none', reply: { breaks: 'garbage' }, ...SENSELESS },
  {
    what: 'an answer that its provider breaks off',
    reply: { breaks: 'error' },
    code: 'mission/runner-unavailable',
    says: 'aborted the answer',
    mayRetry: true,
  },
  { what: 'half of an event', reply: { breaks: 'half-event' }, ...SENSELESS },
  { what: 'a stream without its end', reply: { breaks: 'end' }, ...SENSELESS },
  {
    what: 'an answer that was cut off',
    reply: { text: '{"artifacts": [{"schema', ends: 'cut-off' },
    code: 'mission/runner-answer',
    says: 'cut off',
    mayRetry: true,
  },
  {
    what: 'a refusal',
    reply: { text: 'I cannot help with that.', ends: 'refused' },
    code: 'mission/runner-refused',
    says: 'refused',
    mayRetry: false,
  },
  {
    what: 'an empty answer',
    reply: { text: ' ' },
    code: 'mission/runner-answer',
    says: 'empty',
    mayRetry: true,
  },
  {
    what: 'an answer that is no JSON',
    reply: { text: 'Certainly! Here it is: {"artifacts": []}' },
    code: 'mission/runner-answer',
    says: 'JSON',
    mayRetry: true,
  },
] satisfies readonly { what: string; reply: Reply; [key: string]: unknown }[])(
  'says in both protocols what was wrong: $what',
  async ({ reply, code, says, mayRetry }) => {
    for (const provider of PROTOCOLS) {
      const { outcome, asked } = await askModel([reply], { provider })
      const message = expect.stringContaining(says)
      expect(outcome, provider).toMatchObject({ is: 'failed', code, message, mayRetry })
      expect(asked).toHaveLength(1)
    }
  },
)

test.each<[readonly [number, number], readonly [number, number]]>([
  [
    [-500, 3],
    [0, 3],
  ],
  [
    [7, 1e300],
    [7, 0],
  ],
  [
    [1.5, 3],
    [0, 3],
  ],
])(
  'of tokens that cannot be, %j, it counts what can be, and takes no answer',
  async (usage, counted) => {
    const [inputTokens, outputTokens] = counted
    for (const provider of PROTOCOLS) {
      const { outcome } = await askModel([{ text: JSON.stringify(ANSWER), usage }], { provider })
      expect(outcome, provider).toEqual({
        is: 'failed',
        code: 'mission/runner-answer',
        message: expect.stringContaining('protocol'),
        mayRetry: true,
        usage: { inputTokens, outputTokens },
      })
    }
  },
)

test('an answer in one fenced block is read without its fence', async () => {
  const { outcome } = await askModel([{ text: `\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`` }])
  expect(outcome).toMatchObject({ is: 'returned', answer: ANSWER })
})

test.each(['hang', 'mute'] as const)('notices a model that falls silent: %s', async breaks => {
  const { outcome } = await askModel([{ breaks }], { limits: { silence: 300 } })
  const message = expect.stringContaining('nothing for')
  expect(outcome).toMatchObject({ code: 'mission/runner-unavailable', message, mayRetry: true })
})

test('ends a tool that never answers, as it ends the model', async () => {
  const tools = toolsNoting([], { call: () => new Promise(() => {}) })
  const { outcome } = await askModel([{ tools: [{ name: 'crm_search', args: {} }] }], {
    config: { seconds: 1 },
    runContext: { tools },
  })
  expect(outcome).toMatchObject({ code: 'mission/runner-timeout' })
})

test('tools that cannot be listed are no reason to work without them', async () => {
  const tools = toolsNoting([], { list: () => Promise.reject(new Error(`inner ${KEY}`)) })
  const { outcome, asked } = await askModel([GOOD], { runContext: { tools } })
  expect(outcome).toMatchObject({
    is: 'failed',
    code: 'mission/runner-unavailable',
    mayRetry: true,
  })
  expect(asked).toEqual([])
})

test('takes neither key nor address from its own environment', async () => {
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'] as const
  const before = names.map(name => process.env[name])
  for (const name of names) process.env[name] = 'http://127.0.0.1:9/of-the-environment'
  const server = await openModelServer(GOOD)
  try {
    const models = { r: { provider: 'anthropic', model: 'm', url: server.url } } as const
    const outcome = await modelRunner({ route: 'r' }, models).run(assignmentOf({ prompt: null }), {
      root: '/',
      environment: {},
      signal: new AbortController().signal,
    })
    expect(outcome).toMatchObject({ is: 'returned', answer: ANSWER })
    expect(JSON.stringify(server.asked)).not.toContain('of-the-environment')
  } finally {
    for (const [n, name] of names.entries()) {
      const value = before[n]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await server.close()
  }
})

test('ends a model that takes longer than it may', async () => {
  const { outcome } = await askModel([{ breaks: 'hang' }], { config: { seconds: 1 } })
  expect(outcome).toMatchObject({ code: 'mission/runner-timeout', mayRetry: true })
})

test.each([
  ['the schema of the answer', 'response_format is not supported by this model'],
  ['the name of the limit', "use 'max_completion_tokens' instead"],
  ['usage in a stream', 'unknown field stream_options'],
])('asks again without what a provider does not know: %s', async (_, message) => {
  const { outcome, asked } = await askModel(
    [{ status: 400, body: JSON.stringify({ error: { message } }) }, GOOD],
    {
      assignment: { budget: { ms: null, tokens: 5000 } },
    },
  )
  expect(outcome).toMatchObject({ is: 'returned', answer: ANSWER })
  const [first = '', second = ''] = asked.map(({ body }) => Object.keys(body).sort().join(' '))
  expect(second).not.toBe(first)
})

test('without a package only its configuration is used: routes, keys and addresses', async () => {
  const models = {
    keyed: { provider: 'anthropic', model: 'm', key: 'NO_SUCH_KEY' },
    nowhere: { provider: 'openai-compatible', model: 'm' },
    strange: { provider: 'anthropic', model: 'm', url: 'file:///etc/passwd' },
  } as const
  const run = (route?: string, key = '') =>
    modelRunner(route ? { route } : {}, models).run(assignmentOf({ prompt: null }), {
      root: '/',
      environment: { NO_SUCH_KEY: key },
      signal: new AbortController().signal,
    })
  const missing = (message: string) => ({
    is: 'failed',
    code: 'mission/runner-missing',
    message: expect.stringContaining(message),
    mayRetry: false,
  })
  expect(await run()).toEqual(missing('no model route'))
  expect(await run('constructor')).toEqual(missing('missions.models has keyed, nowhere, strange'))
  expect(await run('keyed')).toEqual(missing('NO_SUCH_KEY'))
  expect(await run('keyed', 'of-\nnobody')).toEqual(
    missing('NO_SUCH_KEY, which contains a control'),
  )
  expect(await run('nowhere')).toEqual(missing('route nowhere has no http or https URL'))
  expect(await run('strange')).toEqual(missing('route strange has no http or https URL'))
})

test('built-in prompts are for the route of the runner where no model has the route default', async () => {
  const prompt = { ...assignmentOf().prompt, model_route: 'default' } as Assignment['prompt']
  const own = { provider: 'openai-compatible', model: 'm' } as const
  const failure = (models: Parameters<typeof modelRunner>[1]) =>
    modelRunner({ route: 'own' }, models).run(assignmentOf({ prompt }), {
      root: '/',
      environment: {},
      signal: new AbortController().signal,
    })
  const message = expect.stringMatching(/route own has no http or https URL/)
  expect(await failure({ own })).toMatchObject({ message })
  const preferred = expect.stringMatching(/route default has no http or https URL/)
  expect(await failure({ own, default: own })).toMatchObject({ message: preferred })
})
