import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { ENVIRONMENT, race } from '../measure.ts'
import { root, type Stage } from '../stage.ts'

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
}
const MESSAGES = [
  { id: 1, method: 'initialize', params: INITIALIZE },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
].map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

/** A tool, as far as a model sees it. */
interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

/** The start of a server until its tools are listed, against a bare server of the same library; and the size of the list. */
export async function mcpStart({ clone, folder, quick }: Stage): Promise<Figure[]> {
  const cwd = folder('mcp')
  const program = [clone.program, 'mcp', '--root', cwd]
  const bare = [process.execPath, join(root, 'bench/bare-mcp.mjs')]
  const lists: string[] = []
  const [ours, theirs] = await race(quick ? 5 : 25, [
    {
      name: 'waybill',
      run: () => started(program, cwd, list => lists.push(list)),
    },
    { name: 'bare server', run: () => started(bare, cwd) },
  ])
  const list = lists[0] ?? ''
  if (!ours || !theirs) return []
  const size = (bytes: number) => ({ name: 'waybill', times: [bytes / 1000] })
  return [
    {
      what: '`waybill mcp` until its tools are listed, in the clone',
      ...{ unit: 'ms', ours, theirs, target: { kind: 'times-at-most', limit: 1.3 } },
    },
    {
      what: 'the list of tools',
      ...{ unit: 'KB', ours: size(Buffer.byteLength(list)) },
      target: { kind: 'at-most', limit: 60 },
    },
    {
      what: 'what a model sees of it: names, descriptions and inputs',
      ...{ unit: 'KB', ours: size(seenBytes(list)), target: { kind: 'at-most', limit: 14 } },
    },
  ]
}

function seenBytes(list: string): number {
  const { tools } = JSON.parse(list).result as { tools: ListedTool[] }
  const seen = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }))
  return Buffer.byteLength(JSON.stringify(seen))
}

/** Starts a server, lists its tools and ends it; returns the milliseconds until the list was there. */
function started(
  [program = '', ...args]: readonly string[],
  cwd: string,
  listed: (list: string) => void = () => {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const server = spawn(program, args, {
      cwd,
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let text = ''
    let time = Number.NaN
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const list = text.split('\n').find(line => line.includes('"tools":[') && line.endsWith('}'))
      if (list === undefined || !text.endsWith('\n')) return
      time = performance.now() - start
      listed(list)
      server.stdin.end()
    })
    server.on('error', reject)
    server.on('close', () => resolve(time))
    server.stdin.write(MESSAGES.join(''))
  })
}
