import { dirname, join } from 'node:path'
import { openPolicies } from '../src/governance/index.ts'
import { openTools } from '../src/mission/tools/guard.ts'

// A worker that uses a tool, says so, and then waits to be killed.
const [, , file = ''] = process.argv
const command = [process.execPath, join(import.meta.dirname, 'tool-server.ts')]
const tools = openTools({
  missions: { servers: { here: { command } }, tools: { child: { server: 'here' } } },
  reach: { pass: null, scopes: [] },
  scope: ['child'],
  agent: { id: 'domain-02-analysis', type: 'domain', version: '1.0.0', roles: ['worker'] },
  mission: { id: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10', risk: 'low' },
  task: 'task_worker_01',
  attempt: 1,
  policies: openPolicies('/', {}),
  quarantined: () => false,
  root: dirname(file),
  environment: { PATH: '/usr/bin:/bin' },
  trace: async () => {},
  signal: new AbortController().signal,
})
const { text } = await tools.call('child', { file })
process.stdout.write(`${text}\n`)
setInterval(() => {}, 1000)
