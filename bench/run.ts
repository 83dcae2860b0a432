import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure, Skip } from './figure.ts'
import { conditions, page, section } from './page.ts'
import { table } from './report.ts'
import { appends } from './rows/append.ts'
import { oneHandoff, oneJson, version } from './rows/cold.ts'
import { manyAgents } from './rows/governed.ts'
import { hostileInputs, largeDocuments, largeGraph, longLineage } from './rows/growth.ts'
import { hooks } from './rows/hooks.ts'
import { oneEnvelope } from './rows/in-process.ts'
import { proofs, verifiedLog } from './rows/ledger.ts'
import { manyHandoffs, manyJson, manyYaml } from './rows/many.ts'
import { mcpStart } from './rows/mcp.ts'
import { memory } from './rows/memory.ts'
import { dispatch, takeover, tenTasks, twoWorkers } from './rows/missions.ts'
import { policyDecisions } from './rows/policy.ts'
import { oneReceived, receiving, scans } from './rows/receive.ts'
import { longChain, manyWriters, mayWriteCode, oneBrief } from './rows/sessions.ts'
import { embedded, largeMission, postgresLog, submits } from './rows/store.ts'
import { survival } from './rows/survival.ts'
import { tour } from './rows/tour.ts'
import { root, type Stage, withStage } from './stage.ts'

const ROWS: Readonly<Record<string, (stage: Stage) => Promise<(Figure | Skip)[]>>> = {
  version,
  'one-json': oneJson,
  'one-handoff': oneHandoff,
  'mcp-start': mcpStart,
  'many-json': manyJson,
  'many-yaml': manyYaml,
  'many-handoffs': manyHandoffs,
  'one-envelope': oneEnvelope,
  'large-documents': largeDocuments,
  'hostile-inputs': hostileInputs,
  'long-lineage': longLineage,
  'large-graph': largeGraph,
  memory,
  'may-write-code': mayWriteCode,
  hooks,
  'one-brief': oneBrief,
  'long-chain': longChain,
  survival,
  'many-writers': manyWriters,
  'many-agents': manyAgents,
  'policy-decisions': policyDecisions,
  append: appends,
  receive: receiving,
  'one-received': oneReceived,
  scan: scans,
  'log-verify': verifiedLog,
  'inclusion-proof': proofs,
  embedded,
  submit: submits,
  'postgres-log': postgresLog,
  'ten-tasks': stage => tenTasks(stage),
  'ten-tasks-postgres': stage => tenTasks(stage, 'postgres'),
  dispatch,
  'two-workers': stage => twoWorkers(stage),
  'two-workers-postgres': stage => twoWorkers(stage, 'postgres'),
  'large-mission': largeMission,
  takeover,
  tour,
}

const HELP = `Usage: npm run bench -- [--only <name>] [--publish] [--quick]

Measures and prints; a run of everything also writes docs/reference/performance.md. The section survival has no timings
and always writes its own page, docs/reference/survival.md.

  --only <name>   one section: ${Object.keys(ROWS).join(', ')}
                  (may be given several times)
  --publish       with --only: writes these sections into the page, and leaves the others as they are
  --quick         fewer rounds, for trying out; writes nothing`

const {
  only = [],
  publish,
  quick,
  help,
} = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    publish: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
}).values

const unknown = only.filter(name => !Object.hasOwn(ROWS, name))
if (help || unknown.length > 0) {
  console.error(unknown.length > 0 ? `unknown section ${unknown.join(', ')}\n\n${HELP}` : HELP)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const found: (Figure | Skip)[] = []
const sections = new Map<string, string>()
const failed: string[] = []
await withStage(quick, async stage => {
  for (const [name, row] of Object.entries(ROWS)) {
    if (only.length > 0 && !only.includes(name)) continue
    stage.note(name)
    try {
      const measured = await conditions(stage, new Date())
      const figures = await row(stage)
      found.push(...figures)
      sections.set(name, section(name, measured, figures))
    } catch (error) {
      // Keep the other rows, but do not publish partial results.
      failed.push(name)
      console.error(error)
    }
  }
})
console.log(table(found))
if (failed.length > 0) {
  console.error(`bench: could not measure ${failed.join(', ')}; nothing written`)
  process.exitCode = 1
} else if (quick || (only.length > 0 && !publish))
  console.error('bench: performance.md is not written, since not everything was measured')
else {
  const file = join(root, 'docs/reference/performance.md')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, page(sections, Object.keys(ROWS), before))
  console.error('bench: wrote docs/reference/performance.md')
}
