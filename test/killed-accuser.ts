import { withGateway } from '../src/operations/gateway/open.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { bareApp } from './bare-app.ts'

/**
 * A process of its own that puts an agent into quarantine, and is killed when that is promised and stands under no
 * checkpoint yet. Arguments: the root, the agent, and the address of the database.
 */
const [root = '', agent = '', databaseUrl = ''] = process.argv.slice(2)
const app = { ...bareApp(root), databaseUrl }

await withGateway(app, await loadConfig(root), async gateway => {
  await gateway.record('security-event', {
    subject: [{ name: agent, digest: { sha256: 'ab'.repeat(32) } }],
    ids: {},
    agents: [agent],
    says: { event: 'hash-mismatch', quarantined: [agent], hashes: [], reason: 'other bytes' },
  })
  process.kill(process.pid, 'SIGKILL')
})
