import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openPolicies, type PolicyAgent } from '../src/governance/index.ts'
import type { Tools } from '../src/mission/runner.ts'
import { openTools, type ToolsOptions } from '../src/mission/tools/guard.ts'
import type { ToolCall } from '../src/store/index.ts'

const program = join(import.meta.dirname, 'tool-server.ts')

/** A server of tools as waybill.yaml names it; `how` makes it a bad one. */
export const server = (how?: 'mute' | 'dead' | 'old' | 'touchy' | 'odd' | 'endless') => ({
  command: [process.execPath, program, ...(how ? [how] : [])],
})

/** Who uses the tools. */
export const WORKER: PolicyAgent = {
  id: 'domain-02-analysis',
  type: 'domain',
  version: '1.0.0',
  roles: ['worker'],
}

/** A guard for tests. */
export interface TestGuard {
  readonly tools: Tools
  readonly traces: ToolCall[]
  /** A file that is not there yet. */
  file(name: string): string
  /** What a file holds, or nothing. */
  read(name: string): string
}

/** Opens guards of tools that are closed, and leave nothing behind, after the tests of a file. */
export function toolGuards(): (
  names: readonly string[],
  more?: Partial<ToolsOptions>,
) => TestGuard {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tools-'))
  const opened: Tools[] = []
  afterAll(async () => {
    await Promise.all(opened.map(tools => tools.close()))
    rmSync(folder, { recursive: true })
  })
  return (names, more = {}) => {
    const traces: ToolCall[] = []
    const tools = openTools({
      missions: {
        servers: { here: server() },
        tools: Object.fromEntries(names.map(name => [name, { server: 'here' }])),
      },
      scope: names,
      reach: { pass: null, scopes: [] },
      agent: WORKER,
      mission: { id: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10', risk: 'medium' },
      task: 'task_worker_01',
      attempt: 1,
      policies: openPolicies('/', {}),
      quarantined: () => false,
      root: folder,
      environment: { PATH: '/usr/bin:/bin', SECRET: 'kept', NAMED: 'passed' },
      trace: async call => void traces.push(call),
      signal: new AbortController().signal,
      ...more,
    })
    opened.push(tools)
    const file = (name: string) => join(folder, name)
    const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')
    return { tools, traces, file, read }
  }
}

/** Whether a process is alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A child that has ended and was not waited for is not alive.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
