import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const SECONDS = 30

/** The sessions of one folder: asks waybill about their events, and does what it answers. */
function openSessions({ folders, prompt, show }) {
  const [cwd = '.'] = folders
  const local = folders.map(folder => join(folder, 'node_modules/.bin/waybill'))
  const program = local.find(file => existsSync(file)) ?? 'waybill'
  const started = new Map()
  const briefs = new Map()
  const children = new Set()

  async function ask(event, session, more = {}) {
    const answer = await run(program, cwd, event, { session_id: session, cwd, ...more })
    if (answer.notice !== undefined) await show(answer.notice).catch(() => undefined)
    return answer
  }

  /** Briefs a session once; later calls wait for the same answer. */
  function start(session, event = 'session.created') {
    const known = started.get(session)
    if (known !== undefined && event === 'session.created') return known
    const begun = ask(event, session).then(({ context }) => {
      if (context !== undefined) briefs.set(session, context)
    })
    started.set(session, begun)
    return begun
  }

  async function end(session) {
    if (!started.delete(session)) return
    briefs.delete(session)
    await ask('session.deleted', session)
  }

  return {
    /** A session that an agent starts for a part of its work; it hands over to that agent. */
    isChild: session => children.add(session),
    start,
    end,
    brief: async session => {
      if (children.has(session)) return undefined
      await start(session)
      return briefs.get(session)
    },
    /** Refuses a tool call by an error, which the agent reads. */
    judge: async (session, tool, input) => {
      const { deny } = await ask('tool.execute.before', session, {
        tool_name: tool,
        tool_input: input,
      })
      if (deny !== undefined) throw new Error(deny)
    },
    keep: async session => (await ask('session.compacting', session)).context,
    compacted: session => start(session, 'session.compacted'),
    idle: async session => {
      if (children.has(session)) return
      const { ask: text } = await ask('session.idle', session)
      // The answer takes a turn of the agent, which waits for this event.
      if (text !== undefined) void prompt(session, text).catch(() => undefined)
    },
    endAll: async () => {
      await Promise.all([...started.keys()].map(end))
    },
  }
}

/** Asks the program about an event; without an answer, the agent goes on. */
function run(program, cwd, event, payload) {
  return new Promise(resolve => {
    const child = spawn(program, ['hook', 'opencode', event], {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: SECONDS * 1000,
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', part => {
      text += part
    })
    child.on('error', () => resolve({}))
    child.on('close', () => {
      try {
        resolve(text.trim() === '' ? {} : JSON.parse(text))
      } catch {
        resolve({})
      }
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(payload))
  })
}

/** OpenCode 1. */
async function server({ client, directory, worktree }) {
  const sessions = openSessions({
    folders: [directory, worktree],
    prompt: (id, text) =>
      client.session.prompt({ path: { id }, body: { parts: [{ type: 'text', text }] } }),
    show: message => client.tui.showToast({ body: { message, variant: 'warning' } }),
  })
  return {
    event: async ({ event: { type, properties } }) => {
      const { info, sessionID: id = info?.id } = properties
      // Messages have ids and parents too.
      if (id === undefined || !type.startsWith('session.')) return
      if (info?.parentID !== undefined) sessions.isChild(id)
      else if (type === 'session.created') await sessions.start(id)
      if (type === 'session.compacted') await sessions.compacted(id)
      if (type === 'session.idle') await sessions.idle(id)
      if (type === 'session.deleted') await sessions.end(id)
    },
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      const text = sessionID === undefined ? undefined : await sessions.brief(sessionID)
      if (text !== undefined) output.system.push(text)
    },
    'tool.execute.before': ({ tool, sessionID }, { args }) => sessions.judge(sessionID, tool, args),
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const text = await sessions.keep(sessionID)
      if (text !== undefined) output.context.push(text)
    },
    dispose: () => sessions.endAll(),
  }
}

/** OpenCode 2; version 1 calls this too, without sessions and tools. */
async function setup({ location, session, tool, event }) {
  if (!session || !tool || !event) return undefined
  const folder = location?.directory ?? process.cwd()
  const sessions = openSessions({
    folders: [folder],
    prompt: (sessionID, text) => session.prompt({ sessionID, text }),
    // Version 2 has no line for the user.
    show: async () => undefined,
  })
  await session.hook('context', async ({ sessionID, system }) => {
    const text = await sessions.brief(sessionID)
    if (text !== undefined) system.push({ type: 'text', text })
  })
  await session.hook('compaction', async ({ sessionID, system }) => {
    const text = await sessions.keep(sessionID)
    if (text !== undefined) system.push({ type: 'text', text })
  })
  await tool.hook('execute.before', ({ sessionID, tool: name, input }) =>
    sessions.judge(sessionID, name, input),
  )
  const onEvent = async ({ type, data: { sessionID: id, parentID } = {}, location: at }) => {
    if (id === undefined || (at?.directory ?? folder) !== folder) return
    if (parentID !== undefined) sessions.isChild(id)
    if (type === 'session.compaction.ended') await sessions.compacted(id)
    if (type === 'session.execution.succeeded') await sessions.idle(id)
    if (type === 'session.deleted') await sessions.end(id)
  }
  // The subscription ends with the location, and setup has to return before.
  const follow = async () => {
    for await (const each of event.subscribe()) await onEvent(each)
  }
  follow().catch(() => undefined)
  return () => sessions.endAll()
}

/** Version 1 reads `server`, version 2 reads `setup`. */
export default { id: 'waybill', server, setup }
