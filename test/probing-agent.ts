import { join } from 'node:path'
import { HEAD } from './mission-repository.ts'

/**
 * An agent that tries what its objective tells it: to call a tool with a place (`read:docs/a.txt`), to name a call of a task
 * before it as its own (`FORGE`), to propose a change without an approval (`UNASKED`). It says what came of each call.
 */
export const PROBE = `import { readFileSync } from 'node:fs'
const a = JSON.parse(readFileSync(0, 'utf8'))
const { WAYBILL_MCP_URL: url, WAYBILL_MCP_TOKEN: token } = process.env
const refs = []
async function ask(method, params) {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await (await fetch(url, { method: 'POST', headers, body })).text()
  return JSON.parse(reply.split('\\n').find(line => line.startsWith('data: '))?.slice(6) ?? reply)
}
async function call(name, text) {
  if (!url) return 'no tools'
  const { result, error } = await ask('tools/call', { name, arguments: { text } })
  const said = error ? error.message : result.content[0].text
  const ref = result?._meta?.['waybill/ref']
  if (ref) refs.push(ref)
  return error || result.isError ? (/\\((mission\\/[a-z-]+|[^()]*)\\)\\.$/.exec(said)?.[1] ?? said) : 'ok'
}
const tries = a.task.objective.match(/[a-z_]+:[^ ]+/g) ?? []
const came = []
for (const one of tries) came.push(one + ' ' + await call(one.split(':')[0], one.slice(one.indexOf(':') + 1)))
const before = a.inputs.flatMap(i => i.tool_trace_refs ?? [])
const named = a.task.objective.includes('FORGE') ? before : refs
const results = a.inputs.filter(i => i.schema_name === 'worker_result')
const soon = new Date(Date.now() + 3600000).toISOString()
const task = (id, role_type, depends_on) => ({ task_id: id, role_type, objective: 'say:x', depends_on, required_capabilities: [], allowed_tools: ['say'], required_data_scopes: ['documents'], success_criteria: ['it is done'] })
const made = {
  planner: () => ({ tasks: [task('one', 'worker', [a.task.task_id]), task('two', 'aggregator', ['one'])] }),
  librarian: () => ({ artifacts: (a.task.objective.match(/[a-z]+=[a-z.,]+/g) ?? []).map(grant => ({ schema_name: 'librarian_pass', task_id: grant.split('=')[0], allowed_resource_families: grant.split('=')[1].split(','), recommended_queries: [], cached_previews: [], expires_at: soon })) }),
  worker: () => ({ output_text: came.join('; ') || 'nothing', structured_output: { came }, citations: [], confidence: 1, tool_trace_refs: named }),
  aggregator: () => ({ summary: 'all', evidence_matrix: results.map(r => ({ claim: 'it is so', support_refs: [r.result_id] })), contradictions: [], coverage_gaps: [], recommended_output: { format: 'brief' } }),
  reviewer: () => ({ artifacts: [{ schema_name: 'review_packet', review_status: 'approved', issues: [], required_edits: [], approved_output: { summary: 'reviewed' } }, { schema_name: 'writeback_proposal', target_entity_type: 'lead', target_entity_id: a.task.objective.includes('CLOSED') ? 'lead_closed' : 'lead_open', action_type: 'lead_update', payload: {}, requires_approval: !a.task.objective.includes('UNASKED') }] }),
}
process.stdout.write(JSON.stringify(made[a.task.role_type]()))
`

const SERVER = join(import.meta.dirname, 'tool-server.ts')
/** Tools, and the families of resources that they reach, for the configuration of a repository with missions. */
export const REACHING = `  servers:
    here: { command: [${process.execPath}, ${SERVER}] }
  tools:
    read: { server: here, name: echo, places: [text] }
    leads: { server: here, name: echo, families: [crm.leads] }
    say: { server: here, name: echo, families: [] }
    wild: { server: here, name: echo }
  places: { docs: documents, logs: logs }
policies: policies
`

/** One task of a template, as far as it is no ordinary one. */
interface Part {
  readonly role?: string
  readonly after?: readonly string[]
  readonly tools?: readonly string[]
  readonly data?: readonly string[]
  readonly agent?: string
  readonly does?: string
}

/** A template of missions whose tasks have tools and data scopes. */
export function templateOf(parts: Readonly<Record<string, Part>>): string {
  const agents = Object.entries(parts).flatMap(([id, { agent }]) => (agent ? [[id, agent]] : []))
  const tasks = Object.entries(parts).map(([id, part]) => {
    const { role = 'worker', after = [], tools = [], data = [], does = 'Nothing' } = part
    return JSON.stringify({
      ...{ task_id: id, role_type: role, objective: does, depends_on: after },
      ...{ allowed_tools: tools, required_data_scopes: data, success_criteria: ['it is done'] },
    })
  })
  const head = HEAD.replace(
    'tasks:',
    `agents: ${JSON.stringify(Object.fromEntries(agents))}\ntasks:`,
  )
  return `${head}${tasks.map(task => `  - ${task}\n`).join('')}`
}
