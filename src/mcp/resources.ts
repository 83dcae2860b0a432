import type {
  McpServer,
  ReadResourceResult,
  ResourceTemplate,
  ServerContext,
} from '@modelcontextprotocol/server'
import { WaybillError } from '../error.ts'
import { type App, fileNameOf } from '../operations/operation.ts'
import { type Calls, read } from './call.ts'
import { catalogue } from './catalogue.generated.ts'
import { agentEntries, schemaUriOf } from './tools.ts'

type Output = Readonly<Record<string, unknown>>

/** A resource that an operation answers. */
interface Resource {
  readonly name: string
  readonly uri: string
  readonly title: string
  readonly operation: string
  readonly mimeType: string
  text(output: Output): unknown
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

const RESOURCES: readonly Resource[] = [
  {
    name: 'brief',
    uri: 'waybill://brief',
    title: 'The brief of the newest handoff',
    operation: 'brief',
    mimeType: 'text/plain',
    text: ({ brief }) =>
      brief ?? 'The newest handoff cannot be briefed from: call brief for the reasons.',
  },
  {
    name: 'in-force',
    uri: 'waybill://in-force',
    title: 'The rules, decisions and facts in force, and what is open',
    operation: 'brief',
    mimeType: 'application/json',
    text: ({ inForce, open, conflicts }) => json({ inForce, open, conflicts }),
  },
  {
    name: 'checkpoint',
    uri: 'waybill://log/checkpoint',
    title: 'The latest signed checkpoint of the log',
    operation: 'log checkpoint',
    mimeType: 'text/plain',
    text: ({ note }) => note,
  },
  {
    name: 'contracts',
    uri: 'waybill://contracts',
    title: 'The contracts of documents',
    operation: 'schema',
    mimeType: 'application/json',
    text: json,
  },
]

/** Offers what agents read again and again: the brief, what is in force, the checkpoint, contracts and output schemas. */
export function addResources(
  server: McpServer,
  Template: typeof ResourceTemplate,
  appOf: (context: ServerContext) => App,
  calls: Calls,
): void {
  for (const { name, uri, title, operation, mimeType, text } of RESOURCES)
    server.registerResource(name, uri, { title, mimeType }, async (_, context) =>
      contents(uri, mimeType, text(await read(operation, {}, appOf(context), calls))),
    )
  server.registerResource(
    'contract',
    new Template('waybill://contract/{name}', { list: undefined }),
    { title: 'The rules of a contract', mimeType: 'application/json' },
    async (uri, { name }, context) =>
      contents(
        uri.href,
        'application/json',
        json(await read('explain', { code: name }, appOf(context), calls)),
      ),
  )
  server.registerResource(
    'schema',
    new Template(schemaUriOf('{operation}'), { list: undefined }),
    { title: 'The JSON Schema of what an operation answers', mimeType: 'application/schema+json' },
    async (uri, { operation }) => {
      const entry = agentEntries(catalogue).find(
        one => fileNameOf(one.operation.name) === operation,
      )
      if (!entry) throw new WaybillError('not-found', `there is no operation ${operation}`)
      return contents(uri.href, 'application/schema+json', json((await entry.output()).default))
    },
  )
}

function contents(uri: string, mimeType: string, text: unknown): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: String(text) }] }
}
