import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { ADAPTERS, type Adapter } from '../../hooks/index.ts'
import { runCommand } from '../../session/index.ts'
import { lookThrough } from '../../workspace/index.ts'
import { installedFiles, outdatedFiles } from '../init/coding-agents.ts'
import { agentPath, INSTALL_IT, LOCAL_PROGRAM } from '../init/program.ts'
import type { App } from '../operation.ts'
import { error, ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

const TIMEOUT = 10_000

/** Checks the hooks of each coding agent that has them: in place, current, and able to run. */
export async function examineCodingAgents(app: App): Promise<DoctorItem[]> {
  const items = await Promise.all(Object.values(ADAPTERS).map(adapter => examine(adapter, app)))
  return items.filter(item => item !== undefined)
}

async function examine(adapter: Adapter, app: App): Promise<DoctorItem | undefined> {
  const { agent, title } = adapter
  const again = `waybill init --agent ${agent}`
  try {
    const installed = await installedFiles(app.root, adapter)
    if (!installed) return undefined
    const outdated = outdatedFiles(app.root, installed.files)
    if (outdated.length > 0)
      return warning(
        agent,
        `the hooks of ${title} are not as this version writes them: ${listed(outdated)}`,
        `run ${again}`,
      )
    const program = installed.isLocal ? localProgram(app.root) : await programOnPath(app)
    if ('version' in program)
      return ok(agent, `hooks installed; they start waybill ${program.version}`)
    return error(agent, `the hooks of ${title} do not run: ${program.fault}`, program.remedy)
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return error(agent, cause.message, cause.hint ?? `correct the file and run ${again}`)
  }
}

type Program = { readonly version: string } | { readonly fault: string; readonly remedy: string }

/** The program of the repository is looked at and not run: a repository is not trusted. */
function localProgram(root: string): Program {
  const mode = lookThrough(join(root, LOCAL_PROGRAM))?.mode ?? 0
  try {
    if ((mode & 0o111) !== 0)
      return JSON.parse(readFileSync(join(root, 'node_modules/waybill/package.json'), 'utf8'))
  } catch {
    // The answer is the same for a program without its package.
  }
  return { fault: `${LOCAL_PROGRAM} is missing`, remedy: 'run npm install' }
}

async function programOnPath({ root, environment, signal }: App): Promise<Program> {
  if (!environment) return { version: 'of the path' }
  const { outcome, output } = await runCommand('waybill --version', {
    folder: root,
    environment: { ...environment, PATH: agentPath(environment.PATH) },
    timeout: TIMEOUT,
    ...(signal && { signal }),
  })
  if (outcome === 'passed') return { version: output.trim() }
  return {
    fault: `waybill --version ${outcome === 'failed' ? 'fails' : 'does not end'}: ${output.trim()}`,
    remedy: INSTALL_IT,
  }
}
