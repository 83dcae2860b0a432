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
      description: 'Where the log is to be kept: postgres is the only other place.',
    },
  },
} as const

/** Moves the log of an installation from its files into PostgreSQL. */
export default defineOperation({
  name: 'log migrate',
  summary: 'Move the log from its files into PostgreSQL, where several machines share it',
  description:
    'Copies every entry into the database that DATABASE_URL names, or into the embedded one, while others may go on to ' +
    'append. On a server this is done as the owner of the database; a login for workers may not. Then, while nobody can, it copies the rest, compares the roots, the tiles, what stands beside every leaf and ' +
    'the index, and seals .waybill/ledger: whoever appends there is refused from then on, also a process that has been ' +
    'running since before. Only after that the database lets anybody append, so that there are never two logs. It can be ' +
    'interrupted at any point, and goes on when it is run again. Nothing is written until waybill.yaml says ledger: ' +
    'postgres. Whatever runs keeps the log that it was started with: it is refused while workers of missions are at work ' +
    'there, and all else, such as waybill mcp, is started anew afterwards. The sealed folder can be kept: waybill log verify --ledger .waybill/ledger verifies it as before. What is ' +
    'erased later stays in it, so remove it where that must not be.',
  examples: [
    {
      command:
        'DATABASE_URL=postgres://waybill@db.example.org/waybill waybill log migrate --to postgres',
      does: 'move the log to a server',
    },
    { command: 'waybill log migrate --to postgres', does: 'move it into the embedded database' },
  ],
  // Where an installation keeps what it must not lose is for those who look after it.
  actor: 'human',
  effect: 'write',
  input,
  run: migrate,
})

/** Who moves a log does so alone. */
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
