import { env } from 'node:process'
import type { Assignment, Findings } from './assignment.ts'

/** Where the resources of a family are; whatever is in none of them, no agent is let see. */
export const FAMILIES: Readonly<Record<string, string>> = {
  'delivery_log.masked': 'logs',
  'repository.documents': 'docs',
  'repository.source': 'src',
  'repository.tests': 'tests',
  'session.contexts': 'contexts',
}

/** A line that a search has found. */
export interface Hit {
  readonly path: string
  readonly line: number
  readonly words: readonly string[]
  readonly text: string
}

/** The files of the repository, as an agent may see them: through the tools of its task, and within its pass. */
export interface Library {
  list(folder: string): Promise<readonly string[]>
  search(words: readonly string[], folder: string): Promise<readonly Hit[]>
  /** The lines of a file. */
  read(path: string): Promise<readonly string[]>
  /** The names that the trace has for the calls so far. */
  readonly traceRefs: readonly string[]
}

/** Opens the library for an assignment. */
export function openLibrary({ pass, task }: Pick<Assignment, 'pass' | 'task'>): Library {
  const traceRefs: string[] = []
  const ask = async (tool: string, given: object, path: string) => {
    const isWorker = task.role_type === 'worker'
    if (isWorker && !pass?.allowed_resource_families.some(family => isIn(family, path)))
      throw new Error(`the pass ${pass?.pass_id ?? '(there is none)'} does not cover ${path}`)
    return callTool(tool, given, traceRefs)
  }
  return {
    traceRefs,
    list: async folder => linesOf(await ask('repository_list', { under: folder }, folder)),
    search: async (words, folder) =>
      linesOf(await ask('repository_search', { words, under: folder }, folder)).map(
        line => JSON.parse(line) as Hit,
      ),
    read: async path => (await ask('repository_read', { path }, path)).split('\n'),
  }
}

function isIn(family: string, path: string): boolean {
  const folder = FAMILIES[family]
  return folder !== undefined && (path === folder || path.startsWith(`${folder}/`))
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean)
}

interface Reply {
  readonly error?: { readonly message: string }
  readonly result?: {
    readonly isError?: boolean
    readonly content: readonly { readonly text: string }[]
    readonly _meta: { readonly 'waybill/ref': string }
  }
}

/** Calls a tool by MCP, at the address that Waybill has opened for this task. */
async function callTool(name: string, given: object, traceRefs: string[]): Promise<string> {
  const { WAYBILL_MCP_URL: url, WAYBILL_MCP_TOKEN: token } = env
  if (!url || !token) throw new Error('the task has no tools')
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: traceRefs.length + 1,
      method: 'tools/call',
      params: { name, arguments: given },
    }),
  })
  const { result, error } = replyIn(await response.text())
  const said = result?.content.map(({ text }) => text).join('\n') ?? error?.message ?? 'nothing'
  if (!result || result.isError) throw new Error(`${name}: ${said}`)
  const ref = result._meta['waybill/ref']
  traceRefs.push(ref)
  return quotedIn(said, ref)
}

/** An answer comes as JSON, or as the one event of a stream. */
function replyIn(body: string): Reply {
  const data = body.split('\n').find(line => line.startsWith('data: '))
  return JSON.parse(data?.slice('data: '.length) ?? body) as Reply
}

/** Waybill quotes what a tool says between two lines with the name of the call, so that nothing in it passes for more. */
function quotedIn(said: string, ref: string): string {
  const [, quoted, last] = said.split(`\n--- ${ref}`)
  const begin = quoted?.indexOf('\n') ?? -1
  if (quoted === undefined || last === undefined || begin < 0)
    throw new Error('the result is not quoted as it should be')
  // Half a file would be counted as if it were all.
  if (!last.startsWith(' ---')) throw new Error('the result is too long, and was cut')
  return quoted.slice(begin + 1)
}

/** The place of a line. */
export function at(path: string, line: number): string {
  return `${path}#L${line}`
}

/** A worker's result: its findings, with every place that they rest on cited. */
export function workerResult(text: string, findings: Findings, { traceRefs }: Library): object {
  const refs = [
    ...findings.facts.map(({ ref }) => ref),
    ...findings.questions.flatMap(({ answered_by }) => answered_by),
  ]
  const open = findings.questions.filter(({ answered_by }) => answered_by.length === 0)
  return {
    schema_name: 'worker_result',
    output_text: text,
    structured_output: findings,
    citations: [...new Set(refs)].map(ref => ({ kind: 'internal', ref })),
    // Facts were counted or read; what is not answered is where the worker may have missed something.
    confidence:
      findings.questions.length === 0 ? 0.9 : 1 - (0.4 * open.length) / findings.questions.length,
    tool_trace_refs: [...traceRefs],
  }
}
