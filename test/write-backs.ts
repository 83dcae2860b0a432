import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Gateway, openGateway } from '../src/governance/index.ts'
import init from '../src/operations/init.ts'
import { storageOf } from '../src/operations/log/storage.ts'
import type { App } from '../src/operations/operation.ts'
import { insertArtifact } from '../src/store/index.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { type Database, openDatabase } from './database.ts'
import { envelopeOf, exampleOf, type Payload } from './mission-payloads.ts'
import { connectRaw, type Raw } from './raw-sql.ts'
import { openTestFolder, type TestFolder } from './test-folder.ts'

/** The tenant of the missions. */
export const TENANT = 'acme'

/** The file of the policies. */
export const POLICIES = 'policies/write-backs.cedar'

/** A repository whose gateway has keys, and a database for its missions; its log is in either. */
export interface WriteBacks {
  readonly database: Database
  readonly folder: TestFolder
  /** The owner of the database. */
  readonly owner: Raw
  /** The key of ada, the one person that trust lists. */
  readonly key: string
  readonly gateway: Gateway
  /** Another gateway of the same installation, which is closed with it. */
  openGateway(): Promise<Gateway>
  /** Stores a mission that was reviewed, with a proposal; gives which. */
  propose(more?: Proposed): Promise<{ tenant: string; mission: string; proposal: string }>
  remove(): Promise<void>
}

/** What a mission has in addition to its envelope and its proposal. */
export interface Proposed {
  readonly proposal?: Payload
  /** What the review says; null where there is none. */
  readonly review?: string | null
  readonly others?: readonly Payload[]
  readonly envelope?: Payload
}

/** Makes a repository and a database for the time of a test. */
export async function openWriteBacks({
  ledger = 'file',
  people = 'claimed',
  policies = '',
} = {}): Promise<WriteBacks> {
  const database = await openDatabase()
  const folder = openTestFolder()
  const app = () => appOf(folder, database.url)
  folder.write('waybill.yaml', `ledger: ${ledger}\npeople: ${people}\npolicies: policies\n`)
  folder.write(POLICIES, policies)
  await init.run({}, app())
  const key = trustAda(folder)
  const owner = await connectRaw(database.url)
  const opened: Gateway[] = []
  const open = async () => {
    const gateway = await gatewayOf(folder.root, database.url)
    opened.push(gateway)
    return gateway
  }
  return {
    database,
    folder,
    owner,
    key,
    gateway: await open(),
    openGateway: open,
    propose: more => propose(database, more),
    remove: async () => {
      for (const gateway of opened) await gateway.close()
      await owner.end()
      await database.remove()
      folder.remove()
    },
  }
}

/** Takes away what was decided on the proposals of a mission, as the owner of a database can who puts aside the triggers. */
export async function forgetDecisions(owner: Raw, mission: string): Promise<void> {
  const tables = ['writeback_outbox', 'proposal_decisions']
  const deletions = tables.map(
    table => `delete from waybill.${table} where mission_id = '${mission}'`,
  )
  const statements = ['set local session_replication_role = replica', ...deletions]
  await owner.rows(TENANT, statements.join('; '))
}

/** Opens the gateway of a repository. */
export async function gatewayOf(root: string, databaseUrl: string): Promise<Gateway> {
  const config = await loadConfig(root)
  const app = appOf({ root, app: more => ({ ...more }) as App }, databaseUrl)
  return openGateway(root, config, { storage: storageOf(app, config), now: Date.now })
}

function appOf({ root, app }: Pick<TestFolder, 'root' | 'app'>, databaseUrl: string): App {
  return app({ now: Date.now(), clock: Date.now, root, cwd: root, databaseUrl })
}

function trustAda({ root, write }: TestFolder): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const text = readFileSync(join(root, 'waybill.yaml'), 'utf8')
  const ada = `trust:\n  - person: ada\n    key: ${spki}\n    from: 2026-01-01T00:00:00Z\n`
  write('waybill.yaml', text.replace('trust:\n', ada))
  const file = join(root, 'ada.pem')
  write('ada.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  chmodSync(file, 0o600)
  return file
}

async function propose(
  { store }: Database,
  { proposal = {}, review = 'approved', others = [], envelope = {} }: Proposed = {},
) {
  const mission = randomUUID()
  const { approved_output, ...packet } = exampleOf('review-packet.v1')
  const isApproval = review?.startsWith('approved') === true
  const reviewed = {
    ...{ ...packet, mission_id: mission, review_status: review },
    required_edits: review === 'approved' ? [] : packet.required_edits,
    ...(isApproval && { approved_output }),
  }
  const payload = { ...exampleOf('writeback-proposal.v1'), mission_id: mission, ...proposal }
  await store.tenant(TENANT, async tx => {
    await insertArtifact(tx, envelopeOf(mission, TENANT, envelope))
    if (review !== null) await insertArtifact(tx, reviewed)
    await insertArtifact(tx, payload)
    for (const other of others) await insertArtifact(tx, { ...other, mission_id: mission })
  })
  return { tenant: TENANT, mission, proposal: String((payload as Payload).proposal_id) }
}
