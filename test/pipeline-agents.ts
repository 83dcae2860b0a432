import { PROGRAM } from './program.ts'

/** An agent that writes its context as its pipeline says; its description may tell it to do otherwise. */
export const PIPELINE_AGENT = `import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
const a = JSON.parse(readFileSync(0, 'utf8'))
const { session, task, repair } = a
const id = session.address.split('/').at(-1)
appendFileSync('ran.txt', id + (repair ? ' repair' : '') + '\\n')
const kind = id.replace(/-[0-9]+$/, '')
const context = { schema_version: '1.0.0', session_id: 's-1', source_agent: { id: kind, family: kind.split('-')[0] }, target_agent: { id: 'ps-analyst', family: 'ps' }, timestamp: new Date().toISOString(), trace: { depth: /DEEP/.test(task.objective) ? 2 : 1 }, payload: { key_findings: [{ id: 'F-001', summary: id + ' read ' + (session.input?.path ?? 'nothing') }], confidence: { overall: 0.7 } } }
if (/FOREIGN/.test(task.objective)) Object.assign(context, { workflow_id: 'letters', source_agent: { id: 'ps-stranger', family: 'ps' } })
const leak = /LEAKS( ONCE)?/.exec(task.objective)
if (leak && !(leak[1] && repair)) context.payload.key_findings[0].detail = 'token ghp_' + 'a1B2'.repeat(9)
const write = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text) }
const faulty = /ALWAYS BAD/.test(task.objective) || (/BAD ONCE/.test(task.objective) && !repair)
if (faulty) context.payload.confidence.overall = 7
if (/NESTED/.test(task.objective)) {
  const file = dirname(dirname(session.output)) + '/ORCHESTRATION.yaml'
  const verbs = [
    ['pipeline', 'run'],
    ['mission', 'submit', 'brief', '--goal', 'nested'],
    ['mission', 'cancel', process.env.WAYBILL_MISSION],
    ['lock'],
    ['lock', 'reconcile', id, '--by', 'ada', '--why', 'it is right'],
    ['pipeline', 'set', id, 'COMPLETE', '--file', file],
  ]
  const runs = verbs.map(verb =>
    spawnSync(process.execPath, [${JSON.stringify(PROGRAM)}, ...verb], { encoding: 'utf8' }))
  write('nested.txt', runs.map(run => run.stderr).join(''))
}
if (/RAISES/.test(task.objective)) {
  const words = readFileSync(session.orchestration, 'utf8')
  writeFileSync(session.orchestration, words.replace('max_agent_nesting: 0', 'max_agent_nesting: 1'))
}
if (/PAUSES/.test(task.objective)) {
  const words = readFileSync(session.orchestration, 'utf8')
  writeFileSync(session.orchestration, words.replace('status: ACTIVE', 'status: PAUSED'))
  process.exit(1)
}
if (/LOSES/.test(task.objective) && session.input) {
  rmSync(session.input.path)
  if (!/BAD/.test(task.objective)) process.exit(1)
}
if (session.artifact) write(session.artifact, 'done by ' + id)
const isHeld = () => /WAIT/.test(task.objective) && !existsSync('go')
const end = () => {
  if (isHeld()) return setTimeout(end, 50)
  if (/ANSWERS/.test(task.objective)) return process.stdout.write(JSON.stringify(context))
  const isJunk = /JUNK ONCE/.test(task.objective) && !repair
  if (session.output && !/LAZY/.test(task.objective)) write(session.output, isJunk ? '{}' : JSON.stringify(context))
  if (/CRASHES/.test(task.objective) && !existsSync('mended')) process.exit(1)
  process.stdout.write(JSON.stringify({ output_text: id + ' is done', structured_output: {}, citations: [{ kind: 'file', ref: 'ran.txt' }], confidence: 0.8, tool_trace_refs: [] }))
}
end()
`

/** A pipeline of two branches, with a barrier between them. */
export const PIPELINE = `# the plan
workflow: { id: parcels, name: Sort the parcels, status: ACTIVE, updated_at: null }
pipelines:
  ps: # first
    phases:
      - id: 1
        status: PENDING # not yet
        agents:
          - { id: ps-researcher-001, status: PENDING, description: "Find. FIRST", session_context: { output: out/found.json } }
          - { id: ps-analyst-002, status: PENDING, description: "Weigh. ANSWERS", session_context: { output: out/weighed.json }, artifact: out/weighed.md }
      - id: 2
        status: PENDING
        agents:
          - { id: ps-critic-003, status: PENDING, description: "Judge. SECOND", session_context: { input: out/weighed.json, output: out/judged.json } }
  nse:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: nse-risk-001, status: PENDING, description: "Risks.", depends_on: hand-over, session_context: { input: out/found.json, output: out/risks.json } }]
barriers:
  hand-over: { status: PENDING, after_phases: [ps-phase-1], artifacts: { way: { path: out/weighed.md } } }
metrics: { phases_complete: 0, agents_executed: 0, agents_percent: 0, barriers_complete: 0 }
`
