import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { counted, listed, spelled } from '../../contract/index.ts'
import { findContract } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import {
  CONFIG_FILE,
  type Config,
  findRoot,
  gitState,
  isIgnoredByGit,
  loadConfig,
  lookAt,
  lookThrough,
  readRecords,
  STATE_FOLDER,
  stateFolder,
} from '../../workspace/index.ts'
import { ageLimitsIn } from '../check/age-limits.ts'
import { findAgents } from '../check/agent-facts.ts'
import { BASELINE_FILE, readBaseline } from '../check/baseline.ts'
import { openFacts } from '../check/facts.ts'
import check from '../check.ts'
import lockVerify from '../lock-verify.ts'
import type { App } from '../operation.ts'
import { error, ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/** Reports the root and how it was found. */
export function examineRoot({ root, cwd }: App): DoctorItem {
  const found = findRoot(cwd)
  if (found === root) {
    const mark = existsSync(join(root, CONFIG_FILE)) ? CONFIG_FILE : '.git'
    return ok('root', `${root}, found by its ${mark}`)
  }
  if (found !== undefined || root !== cwd) return ok('root', `${root}, as given`)
  return warning(
    'root',
    `${root}, the current folder: neither it nor a folder above has ${CONFIG_FILE} or .git`,
    'run git init or waybill init in the folder that should be the root',
  )
}

/** Checks Git, the repository and its history. */
export function examineGit({ root }: App): DoctorItem {
  const { version, repository, shallow, exception } = gitState(root)
  if (version === undefined) {
    return warning(
      'git',
      'is not installed',
      'install Git: staleness, --changed and --staged need it',
    )
  }
  if (exception) {
    return warning(
      'git',
      `${version}, but it refuses this repository, because another user owns it (safe.directory)`,
      `if you trust it, run ${exception}: staleness, --changed and --staged need it`,
    )
  }
  if (!repository) {
    return warning(
      'git',
      `${version}, but this is not a repository`,
      'run git init: staleness, --changed and --staged need it',
    )
  }
  if (!shallow) return ok('git', `${version}, a repository with full history`)
  return warning(
    'git',
    `${version}, a shallow repository`,
    'run git fetch --unshallow (in CI: fetch-depth: 0), which staleness needs',
  )
}

/** Loads and checks the configuration. */
export async function examineConfig(app: App): Promise<{ item: DoctorItem; config: Config }> {
  const file = join(app.root, CONFIG_FILE)
  try {
    const config = await loadConfig(app.root)
    if (!existsSync(file))
      return { item: ok('configuration', `no ${CONFIG_FILE}; all defaults`), config }
    // A check validates the names of rules, too.
    ageLimitsIn(config)
    if (config.rules) await check.run({ paths: [file], structureOnly: true }, app)
    const changed = Object.keys(config.rules ?? {}).length
    const weights = changed > 0 ? `, ${counted(changed, 'severity', 'severities')} changed` : ''
    return { item: ok('configuration', `${CONFIG_FILE} is valid${weights}`), config }
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return {
      item: error('configuration', cause.message, cause.hint ?? `fix ${CONFIG_FILE}`),
      config: {},
    }
  }
}

/** Reports the errors excused by the baseline. */
export function examineBaseline(app: App): DoctorItem {
  try {
    const baseline = readBaseline(app)
    if (!baseline) return ok('baseline', 'none; every error counts')
    return ok('baseline', `${BASELINE_FILE} excuses ${counted(baseline.faults.length, 'error')}`)
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return error('baseline', cause.message, cause.hint ?? `fix ${BASELINE_FILE}`)
  }
}

/** Checks the manifest and lockfile used for documents at the root. */
export async function examineAgents(app: App, config: Config): Promise<DoctorItem[]> {
  const contract = findContract('prompt-manifest')
  if (!contract) return []
  const subject = {
    source: { file: app.root, path: 'document', named: false },
    contract,
    value: undefined,
  }
  const facts = await findAgents(subject, openFacts(app, config))
  const prompts = 'value' in facts.lock ? await examinePrompts(app) : undefined
  return (['manifest', 'lock'] as const).map(kind => {
    const fact = facts[kind]
    if (kind === 'lock' && prompts) return prompts
    if ('value' in fact) return ok(kind, (fact.value as { path: string }).path)
    if (fact.missing.startsWith(`no prompt-${kind}.json`))
      return ok(kind, 'none at the root; only agent handoffs need one')
    const remedy = `run waybill check, or fix agents.${kind} in ${CONFIG_FILE}`
    return error(kind, fact.missing, remedy)
  })
}

/** Returns the problems of locked prompts; undefined if there are none, or another item reports them. */
async function examinePrompts(app: App): Promise<DoctorItem | undefined> {
  try {
    const { accepted, lock, counts } = await lockVerify.run({}, app)
    if (accepted) return undefined
    const { sound, agents, errors } = counts
    const message = `${lock.path}: ${sound} of ${counted(agents, 'agent')} verified, ${counted(errors, 'error')}`
    return error('lock', message, 'run waybill lock verify for details')
  } catch (cause) {
    // For example, a missing log.
    if (cause instanceof WaybillError) return undefined
    throw cause
  }
}

const OTHERS = 0o077

/** Checks the folder with local state: it exists, is private and is ignored by Git. */
export function examineState({ root }: App): DoctorItem[] {
  try {
    return stateItems(root)
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return [error('local state', cause.message, cause.hint ?? 'make it readable')]
  }
}

function stateItems(root: string): DoctorItem[] {
  const folder = stateFolder(root)
  const shown = relative(root, folder) || STATE_FOLDER
  const items: DoctorItem[] = []
  const stats = lookAt(folder)
  if (!stats) items.push(ok('local state', `no ${shown} yet; it is created when needed`))
  else if (!lookThrough(folder)?.isDirectory()) {
    items.push(
      error('local state', `${shown} is not a folder`, 'move it away and run waybill init'),
    )
  } else if (stats.isSymbolicLink()) {
    items.push(
      warning('local state', `${shown} is a link`, 'make it a folder, unless the link is intended'),
    )
  } else if ((stats.mode & OTHERS) !== 0) {
    const mode = (stats.mode & 0o777).toString(8)
    items.push(
      warning(
        'local state',
        `others on this machine may read ${shown} (mode ${mode})`,
        `run chmod 700 ${shown}`,
      ),
    )
  } else items.push(ok('local state', `${shown}, readable by the owner only`))
  if (isIgnoredByGit(root, `${STATE_FOLDER}/x`) === false) {
    items.push(
      warning(
        'ignored',
        `Git does not ignore ${STATE_FOLDER}/, which holds local state`,
        'run waybill init, which adds it to .gitignore',
      ),
    )
  }
  return items
}

/** Maximum number of names shown. */
const MOST_NAMED = 5

/** Reports records that were changed: the log does not include them, and no other check reports them. */
export function examineRecords({ root }: App): DoctorItem[] {
  try {
    const { broken } = readRecords(root)
    if (broken.length === 0) return []
    const rest = broken.length - MOST_NAMED
    const names = [
      ...broken.slice(0, MOST_NAMED).map(spelled),
      ...(rest > 0 ? [`${rest} more`] : []),
    ]
    const [are, they] = broken.length === 1 ? ['is', 'it is'] : ['are', 'they are']
    const what = `${listed(names)} in ${relative(root, stateFolder(root))}/records ${are} invalid: changed, too large or not a record`
    return [warning('records', what, `find out who changed or added that; ${they} ignored`)]
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return [error('records', cause.message, cause.hint ?? 'make it readable')]
  }
}
