import { existsSync, globSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { createInterface } from 'node:readline'

/** The folders that agents may look into; keys, state and prompts are in others. */
const OPEN = ['contexts', 'docs', 'logs', 'migrations', 'src', 'tests']
const root = realpathSync(process.cwd())
const MOST_HITS = 200

interface Arguments {
  readonly words?: readonly string[]
  readonly under?: string
  readonly path?: string
}

interface Tool {
  readonly description: string
  readonly inputSchema: object
  run(given: Arguments): string
}

const TOOLS: Readonly<Record<string, Tool>> = {
  list: {
    description: 'Lists the files below a folder of the repository.',
    inputSchema: schemaOf({ under: text('A folder, such as docs.') }, ['under']),
    run: ({ under = '' }) => filesUnder(under).join('\n'),
  },
  search: {
    description:
      'Searches the files below a folder for words, and gives the lines that hold one, as JSON.',
    inputSchema: schemaOf(
      {
        words: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
        under: text('A folder, such as docs.'),
      },
      ['words', 'under'],
    ),
    run: ({ words = [], under = '' }) => search(words, under),
  },
  read: {
    description: 'Reads one file of the repository.',
    inputSchema: schemaOf({ path: text('The file, such as docs/analysis/night.md.') }, ['path']),
    run: ({ path = '' }) => readFileSync(place(path), 'utf8'),
  },
}

function text(description: string) {
  return { type: 'string', description }
}

function schemaOf(properties: object, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A path of the open part of the repository; links that lead out of it are none. */
function place(path: string): string {
  const whole = join(root, path)
  const real = existsSync(whole) ? realpathSync(whole) : whole
  const inside = real.slice(root.length + 1).split(sep)
  if (!real.startsWith(root + sep) || !OPEN.includes(inside[0] ?? ''))
    throw new Error(`'${path}' is not in ${OPEN.join(', ')}`)
  return real
}

function filesUnder(under: string): string[] {
  const folder = place(under)
  return globSync('**/*', { cwd: folder })
    .map(name => join(under, name).replaceAll(sep, '/'))
    .filter(path => statSync(place(path)).isFile())
    .sort()
}

function search(words: readonly string[], under: string): string {
  const wanted = words.map(word => word.toLowerCase())
  const hits = filesUnder(under).flatMap(path =>
    readFileSync(place(path), 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        const found = wanted.filter(word => line.toLowerCase().includes(word))
        return found.length > 0 ? [{ path, line: i + 1, words: found, text: line.trim() }] : []
      }),
  )
  const best = hits.toSorted((a, b) => b.words.length - a.words.length).slice(0, MOST_HITS)
  return best.map(hit => JSON.stringify(hit)).join('\n')
}

interface Request {
  readonly id?: number | string
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: Arguments
    readonly protocolVersion?: string
  }
}

function answerTo({ method, params = {} }: Request): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'nudge-repository', version: '1.0.0' },
      }
    case 'ping':
      return {}
    case 'tools/list':
      return {
        tools: Object.entries(TOOLS).map(([name, { description, inputSchema }]) => ({
          name,
          description,
          inputSchema,
        })),
      }
    case 'tools/call':
      return call(params.name ?? '', params.arguments ?? {})
    default:
      return undefined
  }
}

function call(name: string, given: Arguments): object {
  try {
    const tool = TOOLS[name]
    if (!tool) throw new Error(`there is no tool '${name}'`)
    return { content: [{ type: 'text', text: tool.run(given) }] }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { isError: true, content: [{ type: 'text', text: message }] }
  }
}

createInterface(process.stdin).on('line', line => {
  const request = JSON.parse(line) as Request
  if (request.id === undefined) return
  const result = answerTo(request)
  const error = { code: -32601, message: `there is no method '${request.method}'` }
  const answer = { jsonrpc: '2.0', id: request.id, ...(result ? { result } : { error }) }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
})
