import { fileStorage, type LogStorage } from '../../governance/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { postgresStorage } from './postgres-storage.ts'

/** Returns the configured storage of the log. */
export function storageOf(app: App, { ledger }: Pick<Config, 'ledger'>): LogStorage {
  return ledger === 'postgres' ? postgresStorage(app) : fileStorage(app.root)
}
