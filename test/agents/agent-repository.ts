import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processHost } from '../../src/app.ts'
import { type Ran, waybill } from '../waybill.ts'

const project = join(import.meta.dirname, '../..')

/** A repository with Waybill, and a home folder of its own for a coding agent. */
export interface AgentRepository {
  readonly root: string
  readonly home: string
  waybill(...args: readonly string[]): Promise<Ran>
  /** Hands over with two rules that have a scope. */
  handOver(): Promise<Ran>
  /** The handoffs that a hook drafted. */
  drafts(): readonly string[]
  /** Runs an agent in the repository, with `waybill` on its path, and gives its standard output. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string>
  remove(): void
}

export function openAgentRepository(): AgentRepository {
  const [root = '', home = ''] = ['agent', 'home'].map(name =>
    mkdtempSync(join(tmpdir(), `waybill-${name}-`)),
  )
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root })
  writeFileSync(join(root, 'waybill.yaml'), '')
  const here = (...args: readonly string[]) => waybill(args, { cwd: root })
  return {
    root,
    home,
    waybill: here,
    handOver: () =>
      here(
        ...['handoff', '--state', 'The feed works', '--next', 'Fuzz it', '--agent', 'ada'],
        ...['--rule', 'Never push without a review `scope: git push*`'],
        ...['--rule', 'Vendored code stays as it is `scope: vendor/**`'],
      ),
    drafts: () => readdirSync(join(root, 'handoffs')).filter(name => name.includes('draft')),
    start: async (program, args, env) => {
      const PATH = `${join(project, 'bin')}:${processHost.env.PATH}`
      const child = spawn(program, args, {
        cwd: root,
        env: { ...processHost.env, PATH, HOME: home, PWD: root, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const chunks: Buffer[] = []
      for await (const chunk of child.stdout) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    },
    remove: () => {
      for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
