import { EventEmitter, on } from 'node:events'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { listen, type WitnessReply } from '../../governance/index.ts'
import type { App } from '../operation.ts'
import { openWitness } from './witness.ts'

/** An event of a serving witness: first its address and key, then each answer. */
export type ServeEvent =
  | {
      readonly event: 'listening'
      readonly url: string
      readonly key: string
      readonly logs: readonly string[]
    }
  | {
      readonly event: 'answered'
      readonly at: string
      readonly status: number
      readonly code: string | null
      readonly origin: string | null
      readonly size: number | null
      /** The index of the entry with the security event. */
      readonly recorded: number | null
    }

/** Answers HTTP requests until cancelled, and yields each answer. */
export async function* serveWitness(
  address: string,
  policy: string | undefined,
  app: App,
): AsyncGenerator<ServeEvent> {
  const { host, port } = readAddress(address)
  const { witness, key, origins, record } = await openWitness(policy, app)
  const events = new EventEmitter<{ served: [ServeEvent] }>()
  const recorded = new WeakMap<WitnessReply, number>()
  const server = await listen(host, port, {
    answer: async body => {
      const reply = await witness.answer(body)
      // A failure to record must not change the refusal.
      const index = reply.fork && (await record(reply.fork).catch(() => null))
      if (typeof index === 'number') recorded.set(reply, index)
      return reply
    },
    answered: (status, reply) =>
      events.emit('served', answeredEvent(status, reply, app, reply && recorded.get(reply))),
  })
  const stream = on(events, 'served', app.signal ? { signal: app.signal } : {})
  try {
    yield { event: 'listening', url: server.url, key, logs: origins }
    for await (const [event] of stream) yield event
  } catch (error) {
    if (!app.signal?.aborted) throw error
  } finally {
    await server.close()
  }
}

function answeredEvent(
  status: number,
  reply: WitnessReply | undefined,
  { now, clock = () => now }: App,
  recorded: number | undefined,
): ServeEvent {
  return {
    event: 'answered',
    at: formatInstant(clock()),
    status,
    code: reply?.code ?? null,
    origin: reply?.origin ?? null,
    size: reply?.size ?? null,
    recorded: recorded ?? null,
  }
}

function readAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, Math.max(colon, 0)).replace(/^\[|\]$/g, '')
  const digits = address.slice(colon + 1)
  const port = /^[0-9]{1,5}$/.test(digits) ? Number(digits) : Number.NaN
  if (colon > 0 && host !== '' && port <= 65_535) return { host, port }
  throw new WaybillError('usage', `--serve ${address} is not an address`, {
    hint: 'use host:port, such as 127.0.0.1:8087; port 0 picks a free port',
  })
}
