import type { AgentCard } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { readDocuments } from '../../../document/index.ts'
import { loadA2a } from '../../packages.ts'
import { type Failure, failed } from '../failure.ts'
import type { Wire } from '../wire.ts'

const WELL_KNOWN = '/.well-known/agent-card.json'
const BINDINGS = ['JSONRPC', 'HTTP+JSON']

/** A connected remote agent. */
export interface Connected {
  readonly is: 'connected'
  readonly client: Client
}

/** Reads the card of a remote agent and connects to one of its interfaces, only on the card's own origin. */
export async function connect(url: URL, who: string, wire: Wire): Promise<Connected | Failure> {
  const interfaces = await interfacesOf(url, wire)
  const allowed = interfaces?.filter(at => at.origin === url.origin)
  if (!allowed) return missing(`the response at the card URL of ${who} is not an agent card`)
  if (allowed.length === 0) return missing(`${who} has no A2A 1.0 interface on its own origin`)
  const { client } = await loadA2a()
  const factory = new client.ClientFactory({
    transports: [
      new client.JsonRpcTransportFactory({ fetchImpl: wire.fetch }),
      new client.RestTransportFactory({ fetchImpl: wire.fetch }),
    ],
    clientConfig: { polling: true, acceptedOutputModes: ['application/json', 'text/plain'] },
  })
  const { protocolBinding = '' } = allowed[0] ?? {}
  return {
    is: 'connected',
    client: await factory.createFromAgentCard(
      cardOf(allowed.filter(at => at.protocolBinding === protocolBinding)),
    ),
  }
}

interface Interface {
  readonly url: string
  readonly origin: string
  readonly protocolBinding: string
  readonly tenant: string
}

/** The interfaces in card order; without a card, the URL itself. */
async function interfacesOf(url: URL, wire: Wire): Promise<readonly Interface[] | undefined> {
  const at = url.pathname.endsWith('.json') ? url : new URL(WELL_KNOWN, url)
  const response = await wire.fetch(at, { headers: { accept: 'application/json' } })
  if (response.status === 404 && at !== url) return [direct(url)]
  const { documents } = await readDocuments(await response.text(), 'json')
  const [card] = documents
  if (!response.ok || !card || card.faults.length > 0) return undefined
  const listed = isObject(card.value) ? card.value.supportedInterfaces : undefined
  return Array.isArray(listed) ? listed.flatMap(interfaceOf) : undefined
}

function interfaceOf(listed: unknown): readonly Interface[] {
  if (!isObject(listed)) return []
  const { url, protocolBinding, protocolVersion, tenant } = listed
  if (typeof url !== 'string' || !URL.canParse(url)) return []
  if (typeof protocolBinding !== 'string' || !BINDINGS.includes(protocolBinding)) return []
  if (typeof protocolVersion !== 'string' || !/^1(?:\.|$)/.test(protocolVersion)) return []
  const { origin } = new URL(url)
  return [{ url, origin, protocolBinding, tenant: typeof tenant === 'string' ? tenant : '' }]
}

function direct({ href, origin }: URL): Interface {
  return { url: href, origin, protocolBinding: 'JSONRPC', tenant: '' }
}

/** A minimal card: all other content of a remote card is ignored. */
function cardOf(interfaces: readonly Interface[]): AgentCard {
  return {
    name: '',
    description: '',
    supportedInterfaces: interfaces.map(({ url, protocolBinding, tenant }) => ({
      url,
      protocolBinding,
      tenant,
      protocolVersion: '1.0',
    })),
    provider: undefined,
    version: '',
    capabilities: { extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    signatures: [],
  }
}

function missing(message: string): Failure {
  return failed('mission/runner-missing', message, false)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
