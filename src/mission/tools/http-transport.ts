import type { Transport } from '@modelcontextprotocol/client'
import { WaybillError } from '../../error.ts'
import type { loadMcpClient } from '../packages.ts'

/** The URL and token of a tool server. */
interface Address {
  readonly url: string
  readonly token: string | undefined
  /** The largest response, in bytes. */
  readonly bytes: number
}

type Sdk = Awaited<ReturnType<typeof loadMcpClient>>

/** Connects to a tool server over streamable HTTP, without redirects and with a size limit. */
export function openHttp(sdk: Sdk, { url, token, bytes }: Address): Transport {
  const once = { initialReconnectionDelay: 1000, maxReconnectionDelay: 1000 }
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    fetch: async (input, init) =>
      limited(await fetch(input, { ...init, redirect: 'error' }), bytes),
    reconnectionOptions: { ...once, reconnectionDelayGrowFactor: 1, maxRetries: 0 },
  })
  // The types differ only in optional members that may be undefined.
  return transport as Transport
}

function limited(response: Response, most: number): Response {
  const { body, status, statusText, headers } = response
  if (!body) return response
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size <= most) controller.enqueue(chunk)
      else controller.error(new WaybillError('input-output', `it sent more than ${most} bytes`))
    },
  })
  return new Response(body.pipeThrough(counting), { status, statusText, headers })
}
