import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { put } from '../install/merge.ts'
import { opencode } from './adapter.ts'
import { install } from './install.ts'

let repo: TestFolder
beforeEach(() => {
  repo = openTestFolder()
})
afterEach(() => repo.remove())

/** Installs the plugin, with a program that keeps what it is asked and gives prepared answers. */
async function load(answers: Record<string, object | string>) {
  const [file] = install(opencode, true).files
  if (!file) throw new Error('the plugin has no file')
  repo.write(file.path, put(undefined, file) ?? '')
  repo.write(
    'node_modules/.bin/waybill',
    `#!/bin/sh\necho "$(cat) $*" >> asked\ncat "answers/$3" 2>/dev/null || true\n`,
  )
  chmodSync(join(repo.root, 'node_modules/.bin/waybill'), 0o755)
  for (const [event, answer] of Object.entries(answers))
    repo.write(
      `answers/${event}`,
      typeof answer === 'string' ? answer : JSON.stringify(opencode.answer(event, answer)),
    )
  const path = join(repo.root, file.path)
  const { default: plugin } = await import(/* @vite-ignore */ pathToFileURL(path).href)
  return plugin
}

/** The events that the program was asked about, with what it got. */
function asked(): (readonly [event: string, payload: Record<string, unknown>])[] {
  const file = join(repo.root, 'asked')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => {
      const [, json = '', agent, event = ''] = /^(\{.*\}) hook (\S+) (\S+)$/.exec(line) ?? []
      expect(agent).toBe('opencode')
      expect(Object.keys(opencode.events)).toContain(event)
      return [event, JSON.parse(json)]
    })
}

const events = () => asked().map(([event]) => event)

const ANSWERS = {
  'session.created': { context: 'the brief' },
  'session.compacted': { context: 'the brief again' },
  'session.compacting': { context: 'keep this', notice: 'drafted' },
  'session.idle': { reason: 'hand over' },
}

describe('OpenCode 1', () => {
  async function open(answers: Record<string, object | string> = ANSWERS) {
    const { id, server } = await load(answers)
    expect(id).toBe('waybill')
    const [prompts, toasts]: [unknown[], unknown[]] = [[], []]
    const client = {
      session: { prompt: async (request: unknown) => prompts.push(request) },
      tui: { showToast: async ({ body }: { body: unknown }) => toasts.push(body) },
    }
    const hooks = await server({ client, directory: repo.root, worktree: repo.root })
    const send = (type: string, properties: object) => hooks.event({ event: { type, properties } })
    const system = async (sessionID?: string) => {
      const output = { system: ['first'] }
      await hooks['experimental.chat.system.transform']({ sessionID, model: {} }, output)
      return output.system
    }
    return { hooks, prompts, toasts, send, system }
  }

  test('the model gets the brief of its session, which is asked for once, and a new one after a compaction', async () => {
    const { send, system } = await open()
    await Promise.all([send('session.created', { info: { id: 's1' } }), system('s1')])
    expect(await system('s1')).toEqual(['first', 'the brief'])
    expect(await system()).toEqual(['first'])
    expect(asked()).toEqual([['session.created', { session_id: 's1', cwd: repo.root }]])
    await send('session.compacted', { sessionID: 's1' })
    expect(await system('s1')).toEqual(['first', 'the brief again'])
    // A session that goes on after a restart has no event of its own.
    expect(await system('s2')).toEqual(['first', 'the brief'])
  })

  test('a call that is denied does not run, and the error says why; every other call runs', async () => {
    const { hooks } = await open({ 'tool.execute.before': { decision: 'deny', reason: 'R-001' } })
    const call = (args: object) =>
      hooks['tool.execute.before']({ tool: 'bash', sessionID: 's1', callID: 'c' }, { args })
    await expect(call({ command: 'git push' })).rejects.toThrow('R-001')
    const [[event, payload] = []] = asked()
    expect(event).toBe('tool.execute.before')
    expect(opencode.read(event ?? '', payload ?? {})).toMatchObject({
      session: 's1',
      cwd: repo.root,
      call: { tool: 'bash', command: 'git push' },
    })
    for (const answer of ['', '{}', 'no JSON']) {
      writeFileSync(join(repo.root, 'answers/tool.execute.before'), answer)
      await call({ command: 'ls' })
    }
  })

  test('a compaction keeps the rules, and the user sees what was drafted', async () => {
    const { hooks, toasts } = await open()
    const output = { context: [] }
    await hooks['experimental.session.compacting']({ sessionID: 's1' }, output)
    expect(output.context).toEqual(['keep this'])
    expect(toasts).toEqual([{ message: 'drafted', variant: 'warning' }])
  })

  test('an agent that stops is asked, the session of a part of its work is not, and each session ends once', async () => {
    const { hooks, prompts, send } = await open()
    await send('session.created', { info: { id: 's1' } })
    await send('session.created', { info: { id: 's2', parentID: 's1' } })
    await send('session.idle', { sessionID: 's2' })
    expect(prompts).toEqual([])
    await send('session.idle', { sessionID: 's1' })
    expect(prompts).toEqual([
      { path: { id: 's1' }, body: { parts: [{ type: 'text', text: 'hand over' }] } },
    ])
    await hooks.dispose()
    await send('session.deleted', { info: { id: 's1' } })
    expect(events()).toEqual(['session.created', 'session.idle', 'session.deleted'])
  })

  test('without the program the agent goes on', async () => {
    const { hooks, system } = await open()
    writeFileSync(join(repo.root, 'node_modules/.bin/waybill'), '#!/none\n')
    expect(await system('s1')).toEqual(['first'])
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's1' }, { args: {} })
  })
})

describe('OpenCode 2', () => {
  test('the same sessions are briefed, judged and asked through its own hooks', async () => {
    const { setup } = await load({
      ...ANSWERS,
      'tool.execute.before': { decision: 'deny', reason: 'R-001' },
    })
    const hooks = new Map<string, (event: object) => Promise<void>>()
    const prompts: object[] = []
    const hook = async (name: string, callback: (event: object) => Promise<void>) =>
      hooks.set(name, callback)
    async function* subscribe() {
      yield { type: 'session.execution.succeeded', data: { sessionID: 's1' } }
      yield {
        type: 'session.execution.succeeded',
        data: { sessionID: 's9' },
        location: { directory: '/' },
      }
      yield { type: 'plugin.updated' }
    }
    const cleanup = await setup({
      location: { directory: repo.root },
      session: { hook, prompt: async (request: object) => prompts.push(request) },
      tool: { hook },
      event: { subscribe },
    })
    const system = async (name: string) => {
      const event = { sessionID: 's1', system: [] }
      await hooks.get(name)?.(event)
      return event.system
    }
    expect(await system('context')).toEqual([{ type: 'text', text: 'the brief' }])
    expect(await system('compaction')).toEqual([{ type: 'text', text: 'keep this' }])
    const call = { sessionID: 's1', tool: 'shell', input: { command: 'git push' } }
    await expect(hooks.get('execute.before')?.(call)).rejects.toThrow('R-001')
    await expect.poll(() => prompts).toEqual([{ sessionID: 's1', text: 'hand over' }])
    await cleanup()
    expect(events().toSorted()).toEqual([
      'session.compacting',
      'session.created',
      'session.deleted',
      'session.idle',
      'tool.execute.before',
    ])
  })

  test('version 1, which calls it too, has no sessions for it', async () => {
    const { setup } = await load({})
    expect(await setup({ options: {} })).toBeUndefined()
    expect(asked()).toEqual([])
  })
})
