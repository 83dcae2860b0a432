import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { entryAt } from '../src/governance/index.ts'
import { decideProposal } from '../src/mission/approvals/decide.ts'
import { type Dispatch, deliver } from '../src/mission/approvals/deliver.ts'
import type { Which } from '../src/mission/approvals/proposal.ts'
import { decisionId } from '../src/mission/approvals/record.ts'
import { deliveryTask } from '../src/mission/approvals/reserved.ts'
import { readProposal, type StoredProposal } from '../src/store/index.ts'
import type { Received } from './standard-webhooks.ts'
import { openWriteBacks, type Proposed, TENANT, type WriteBacks } from './write-backs.ts'

/** What signs webhooks in tests. */
export const SECRET = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`

/** How a receiver answers. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Answers with a status, and with a body that is not read. */
export function answering(status: number, headers: Record<string, string> = {}): Answer {
  return (_, response) => response.writeHead(status, headers).end('what is in here is not read')
}

/** Destinations that send everything to one webhook. */
export function hook(webhook: string) {
  return { '*': { webhook, secret: 'HOOK_SECRET' } }
}

/** One try to deliver a proposal, as the queue knows it. */
export function attemptAt({ tenant, mission, proposal }: Which, attempt: number) {
  return { ...{ tenant, mission, attempt }, task: deliveryTask(proposal) }
}

/** Deliveries in tests: what was approved, tries to send it, and what came of that. */
export interface Delivering {
  readonly there: WriteBacks
  /** A receiver that keeps what it gets, and answers as given. */
  listen(answer: Answer): Promise<{ url: string; received: Received[] }>
  /** Stores a proposal and approves it. */
  approve(more?: Proposed, life?: number): Promise<Which>
  dispatch(more?: Partial<Dispatch>): Dispatch
  tryAt(which: Which, attempt: number, more: Partial<Dispatch>, signal?: AbortSignal): Promise<void>
  proposalOf(which: Which): Promise<StoredProposal>
  deliveryOf(which: Which): Promise<NonNullable<StoredProposal['delivery']>>
  /** Which tries stand in the queue, and how many milliseconds after they were enqueued each is due. */
  queued(which: Which): Promise<readonly { attempt: number; delay: number }[]>
  /** What the log says came of it. */
  outcomesOf(which: Which): Promise<readonly unknown[]>
}

/** Opens a database and a log for the tests of a file, and ends what they leave. */
export function delivering(options: Parameters<typeof openWriteBacks>[0] = {}): Delivering {
  let there: WriteBacks | undefined
  const servers: Server[] = []
  beforeAll(async () => {
    there = await openWriteBacks(options)
  })
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    await there?.remove()
  })
  const open = () => {
    if (!there) throw new Error('there is no database yet')
    return there
  }
  const proposalOf = (which: Which) => proposalIn(open(), which)
  const dispatch = (more: Partial<Dispatch> = {}): Dispatch => ({
    store: open().database.store,
    gateway: open().gateway,
    writebacks: {},
    environment: { HOOK_SECRET: SECRET },
    ...more,
  })
  return {
    get there() {
      return open()
    },
    listen: answer => listen(answer, servers),
    approve: async (more, life) => {
      const which = await open().propose(more)
      const given = { by: 'ada', why: 'read', decision: 'approved', life } as const
      await decideProposal(open().database.store, open().gateway, { ...which, ...given })
      return which
    },
    dispatch,
    tryAt: (which, attempt, more, signal = new AbortController().signal) =>
      deliver(attemptAt(which, attempt), dispatch(more), signal),
    proposalOf,
    deliveryOf: async which => {
      const { delivery } = await proposalOf(which)
      if (!delivery) throw new Error('nothing is delivered')
      return delivery
    },
    queued: which => queuedIn(open(), which),
    outcomesOf: which => outcomesIn(open(), which),
  }
}

/** A receiver that keeps what it gets, and answers as given; its server is added to the given ones. */
export async function listen(answer: Answer, servers: Server[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

async function proposalIn({ database }: WriteBacks, which: Which): Promise<StoredProposal> {
  const found = await database.store.tenant(TENANT, tx => readProposal(tx, which))
  if (!found) throw new Error('there is no such proposal')
  return found
}

async function queuedIn({ owner }: WriteBacks, { mission }: Which) {
  const rows = await owner.rows(
    undefined,
    `select workflow_uuid as id, delay_until_epoch_ms - created_at as delay
      from dbos.workflow_status where workflow_uuid like $1 order by created_at`,
    [`%${mission}%`],
  )
  return rows.map(({ id, delay }) => ({
    attempt: JSON.parse(String(id))[3] as number,
    delay: delay === null ? 0 : Number(delay),
  }))
}

async function outcomesIn({ gateway: { log } }: WriteBacks, which: Which) {
  const entries = []
  for (const index of await log.find(`id:${decisionId(which)}`)) {
    const entry = await entryAt(log, index)
    if (entry.is === 'entry' && entry.kind === 'writeback-outcome')
      entries.push(entry.statement.predicate)
  }
  return entries
}
