import { relative, sep } from 'node:path'
import { ledgerFolder, openKeys, readTrust } from '../governance/index.ts'
import { holdLock, loadConfig } from '../workspace/index.ts'
import { refuseFuture } from './gateway/open.ts'
import { moveLog } from './log-migrate/move.ts'
import type { LogMigrateOutput } from './log-migrate/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['to'],
  properties: {
    to: {
      type: 'string',
      enum: ['postgres'],
      placeholder: 'storage',
      description: 'The new storage; postgres is the only choice.',
    },
  },
} as const

/** Moves the log of an installation from files into PostgreSQL. */
export default defineOperation({
  name: 'log migrate',
  summary: 'Move the log from files into PostgreSQL, so that machines can share it',
  description:
    'Copies every entry into the database of DATABASE_URL, or the embedded one; then blocks appends, copies the ' +
    'rest, compares roots, tiles, contents and index, and seals .waybill/ledger. Safe to interrupt: run it again ' +
    'to continue. Until waybill.yaml says ledger: postgres, nothing can be recorded afterwards. On a server, run ' +
    'it as the owner of the database. Refuses while mission workers are running; restart other processes, such ' +
    'as waybill mcp, afterwards. The sealed folder can be verified with waybill log verify --ledger ' +
    '.waybill/ledger; later erasures do not reach it, so delete it if that matters.',
  examples: [
    {
      command:
        'DATABASE_URL=postgres://waybill@db.example.org/waybill waybill log migrate --to postgres',
      does: 'move the log to a server',
    },
    { command: 'waybill log migrate --to postgres', does: 'move it into the embedded database' },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: migrate,
})

/** The name of the lock against concurrent migrations. */
const LOCK = 'log-migrate'

async function migrate(_: TypeOf<typeof input>, app: App): Promise<LogMigrateOutput> {
  refuseFuture(app)
  const { root } = app
  const config = await loadConfig(root)
  const trust = readTrust(config)
  const keys = openKeys(root, trust)
  const held = await holdLock(root, LOCK)
  try {
    const moved = await moveLog(app, { trust, keys })
    const folder = relative(root, ledgerFolder(root)).split(sep).join('/')
    return {
      ...moved,
      to: 'postgres',
      origin: keys.origin ?? null,
      sealed: folder,
      configured: config.ledger === 'postgres',
    }
  } finally {
    held.release()
  }
}
