import type { Transport } from '@modelcontextprotocol/client'
import { WaybillError } from '../../error.ts'
import type { loadMcpClient } from '../packages.ts'

/** Where a server of tools is, and what it is told of who asks. */
interface Address {
  readonly url: string
  readonly token: string | undefined
  /** The longest response that is read, in bytes. */
  readonly bytes: number
}

type Sdk = Awaited<ReturnType<typeof loadMcpClient>>

/** A server of tools over streamable HTTP: it is followed nowhere else, and read only so far. */
export function openHttp(sdk: Sdk, { url, token, bytes }: Address): Transport {
  const once = { initialReconnectionDelay: 1000, maxReconnectionDelay: 1000 }
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    fetch: async (input, init) =>
      limited(await fetch(input, { ...init, redirect: 'error' }), bytes),
    reconnectionOptions: { ...once, reconnectionDelayGrowFactor: 1, maxRetries: 0 },
  })
  // Its optional members may be undefined, which the interface has no word for.
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
