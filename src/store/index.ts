/**
 * Rows and transactions of missions, on PostgreSQL; the only SQL there is.
 *
 * A store is one database. What is written there is an artifact: the canonical payload of a document, its digest, and
 * columns that the database makes from the payload, so that they cannot disagree. The database checks structure and
 * references by itself, keeps artifacts as they are, and shows every tenant its own rows alone. A transaction belongs
 * to one tenant. Erasure takes a payload away and leaves digest and tombstone.
 *
 * ```ts
 * const store = await openStore({ url })
 * await store.migrate()
 * await store.tenant('acme', tx => insertArtifact(tx, envelope))
 * ```
 *
 * May not hold a rule or a transition: what may follow what is decided elsewhere.
 */
export { insertArtifact, listArtifacts, readArtifact } from './artifacts.ts'
export { urlInRole } from './connection.ts'
export {
  describeEmbedded,
  type EmbeddedOptions,
  type EmbeddedServer,
  type EmbeddedState,
  type Step,
  startEmbedded,
  stopEmbedded,
} from './embedded/index.ts'
export { openPostgresLog } from './ledger/log.ts'
export { APPLICATION, DURABLE } from './roles.ts'
export { describeServer, type ServerState } from './server.ts'
export { openStore, type Store } from './store.ts'
export type { Tx } from './tx.ts'
