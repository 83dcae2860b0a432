import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { processHost } from '../src/app.ts'
import { type ServeOptions, serve } from '../src/mcp/serve.ts'

/** A client of a server in this process, which sees the given variables too, and starts in a folder. */
export async function connectHere(
  options: ServeOptions,
  variables: Readonly<Record<string, string>> = {},
  cwd = options.root ?? processHost.cwd,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const host = {
    ...processHost,
    cwd,
    env: { ...processHost.env, ...variables },
  }
  const ending = { hold: () => {}, release: async () => {} }
  await serve(options, '0', ending, { host, transport: far })
  await client.connect(near)
  return client
}
