import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { listed } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import {
  createAtomically,
  lookAt,
  lookThrough,
  openStateFolder,
  STATE_FOLDER,
  stateFolder,
  writeAtomically,
} from '../workspace/index.ts'
import { AGENT_NAMES, planCodingAgents } from './init/coding-agents.ts'
import { planKeysAndConfig } from './init/keys.ts'
import type { InitOutput, InitStep } from './init/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const IGNORE_FILE = '.gitignore'
const IGNORE_LINE = `${STATE_FOLDER}/`

const input = {
  type: 'object',
  properties: {
    dryRun: { type: 'boolean', description: 'Show what would be done, without doing it.' },
    newLog: {
      type: 'boolean',
      description:
        'Start a new log even if your earlier log is missing, or is a copy; the new one lacks its entries.',
    },
    agent: {
      type: 'string',
      enum: AGENT_NAMES,
      description: 'Also install the hooks, the MCP server and the skills for this coding agent.',
    },
    remove: {
      type: 'boolean',
      description: 'Take what --agent installs out again, and change nothing else.',
    },
  },
} as const

type Input = TypeOf<typeof input>

/** Prepares a repository for Waybill; never overwrites existing files. */
export default defineOperation({
  name: 'init',
  summary: 'Set up this repository: configuration, keys, and the hooks of coding agents',
  description:
    'Writes waybill.yaml with all options as comments, adds .waybill/ to .gitignore and creates that folder for ' +
    'local state. Creates missing keys for the gateway, its log and every agent of the manifest, and lists the ' +
    'public keys under trust in waybill.yaml; private keys stay in .waybill/keys. An agent whose key was revoked ' +
    'gets none: use waybill key rotate. A log that is missing here is replaced only with --new-log: a new one ' +
    'lacks its quarantines and accepted handoffs; so is a log that was copied here with its repository, which is ' +
    'kept in another folder of .waybill. Overwrites nothing; a second run changes nothing.\n\n' +
    'With --agent, merges hooks, the MCP server, skills and instructions into the files of a coding agent. What others ' +
    'wrote stays; a settings file with comments or errors is refused before anything is written. The hooks start ' +
    'node_modules/.bin/waybill where the repository depends on waybill, else the waybill on the path. --dry-run shows the ' +
    'differences.',
  examples: [
    { command: 'waybill init', does: 'set up this repository' },
    { command: 'waybill init --dry-run', does: 'show what would be done' },
    { command: 'waybill init --agent claude-code', does: 'also install the hooks of Claude Code' },
    { command: 'waybill init --agent all --dry-run', does: 'show every change for every agent' },
    { command: 'waybill init --agent codex --remove', does: 'take the hooks of Codex out again' },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: (given, app) => init(given, app),
})

async function init(given: Input, app: App): Promise<InitOutput> {
  const { dryRun = false, newLog = false, agent, remove = false } = given
  const { root } = app
  if (remove && agent === undefined)
    throw new WaybillError('usage', '--remove needs --agent', {
      hint: `say whose hooks to take out: ${listed(AGENT_NAMES, 'or')}`,
    })
  // Do first what may fail, so that nothing is half done.
  const agents = agent === undefined ? NO_AGENTS : await planCodingAgents(app, agent, remove)
  const agentSteps = agents.steps.map(({ diff, ...step }) => ({
    ...step,
    ...(dryRun && diff !== undefined && { diff }),
  }))
  if (remove) {
    if (!dryRun) agents.carryOut()
    return { root, dryRun, steps: agentSteps, keys: [], notes: agents.notes, next: [] }
  }
  const ignore = planIgnore(root)
  const state = planState(root)
  const { config, keys, holders, carryOut } = await planKeysAndConfig(app, state.path, newLog)
  if (!dryRun) agents.carryOut()
  // Create keys last: by then Git ignores their folder.
  const [ignored, kept] = [ignore, state].map(({ write, ...step }) =>
    dryRun ? step : (write?.() ?? step),
  )
  const made = dryRun ? holders : await carryOut()
  const steps = [config, ignored, kept, keys].filter(step => step !== undefined)
  return {
    root,
    dryRun,
    steps: [...steps, ...agentSteps],
    keys: made,
    notes: agents.notes,
    next: agent === undefined ? NEXT : nextWith(agent),
  }
}

const NO_AGENTS = { steps: [], notes: [], carryOut: () => undefined } as const

function nextWith(agent: string) {
  return [
    { command: 'waybill doctor', does: 'check that the hooks run' },
    {
      command: `waybill init --agent ${agent} --remove`,
      does: 'take the hooks out again',
    },
    ...NEXT,
  ].slice(0, 4)
}

const NEXT = [
  { command: 'waybill check', does: 'check every document below this folder' },
  {
    command: 'waybill check --baseline',
    does: 'excuse the current errors, so that only new ones fail',
  },
  { command: 'waybill key list', does: 'list the trusted keys' },
  { command: 'waybill schema', does: 'list the contracts' },
  { command: 'waybill doctor', does: 'check the installation and this repository' },
] as const

/** A step and its action, which may return another step if files changed. */
type Plan = InitStep & { readonly write?: () => InitStep | undefined }

function planIgnore(root: string): Plan {
  const path = IGNORE_FILE
  const file = join(root, path)
  if (!entry(file)) {
    const kept: InitStep = {
      path,
      action: 'kept',
      note: 'another program just created it; run this again',
    }
    return {
      path,
      action: 'created',
      note: `keeps ${IGNORE_LINE} out of Git`,
      write: () => (createAtomically(file, `${IGNORE_LINE}\n`) ? undefined : kept),
    }
  }
  const target = insideRoot(file, root)
  const text = readText(target)
  if (text.split(/\r?\n/).some(line => /^\/?\.waybill\/?$/.test(line.trim()))) {
    return { path, action: 'kept', note: `already names ${IGNORE_LINE}` }
  }
  return {
    path,
    action: 'changed',
    note: `keeps ${IGNORE_LINE} out of Git`,
    write: () => {
      writeAtomically(target, withLine(text, IGNORE_LINE))
      return undefined
    },
  }
}

/** Appends a line, with the line ends of the text. */
function withLine(text: string, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const open = text === '' || text === '\ufeff' || text.endsWith('\n')
  return `${text}${open ? '' : end}${line}${end}`
}

function planState(root: string): Plan {
  const folder = stateFolder(root)
  const path = `${relative(root, folder).split(sep).join('/')}/`
  const found = entry(folder)
  if (found && !lookThrough(folder)?.isDirectory()) {
    throw new WaybillError('exists', `${path.slice(0, -1)} exists but is not a folder`, {
      hint: 'move it away: this name is needed for local state',
    })
  }
  if (found) return { path, action: 'kept', note: 'already exists' }
  return {
    path,
    action: 'created',
    note: 'holds local state, readable by its owner only',
    write: () => {
      openStateFolder(root)
      return undefined
    },
  }
}

function entry(file: string): boolean {
  return lookAt(file) !== undefined
}

/** Resolves a link, and refuses one that leads out of the repository. */
function insideRoot(file: string, root: string): string {
  try {
    const real = realpathSync(file)
    if (real.startsWith(realpathSync(root) + sep) || dirname(real) === realpathSync(root))
      return real
  } catch (cause) {
    const isDead = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw cannot(`${IGNORE_FILE} ${isDead ? 'is a broken link' : 'cannot be read'}`, cause)
  }
  throw new WaybillError(
    'input-output',
    `${IGNORE_FILE} is a link to a place outside the repository`,
    {
      hint: `add the line ${IGNORE_LINE} to it yourself`,
    },
  )
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (cause) {
    throw cannot(`${IGNORE_FILE} cannot be read as text`, cause)
  }
}

function cannot(what: string, cause: unknown): WaybillError {
  const { code } = cause as NodeJS.ErrnoException
  return new WaybillError('input-output', code ? `${what} (${code})` : what, {
    hint: 'make it accessible and run waybill init again',
    cause,
  })
}
