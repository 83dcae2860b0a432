import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
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
import { planKeysAndConfig } from './init/keys.ts'
import type { InitOutput, InitStep } from './init/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const IGNORE_FILE = '.gitignore'
const IGNORE_LINE = `${STATE_FOLDER}/`

const input = {
  type: 'object',
  properties: {
    dryRun: { type: 'boolean', description: 'Say what would be done, and do nothing.' },
    newLog: {
      type: 'boolean',
      description:
        'Begin a log although one that you have written on this machine is not here; what that one knows is lost to it.',
    },
  },
} as const

type Input = TypeOf<typeof input>

/** Makes a repository ready for Waybill; what is there already is left alone. */
export default defineOperation({
  name: 'init',
  summary: 'Make this repository ready: configuration, .gitignore and local state',
  description:
    'Writes waybill.yaml with everything it can say as comments, adds .waybill/ to .gitignore and creates that folder ' +
    'for local state. Makes keys for the gateway, its log and every agent of the manifest that has none, and lists ' +
    'their public halves under trust in waybill.yaml; private halves stay in .waybill/keys, and what another clone ' +
    'holds is left there. An agent whose key was revoked gets none: waybill key rotate. A log that was here and is gone is ' +
    'not replaced in passing: a new one knows nothing of its quarantines and of what was accepted (--new-log). Nothing ' +
    'that is there is overwritten, and a second run changes nothing.',
  examples: [
    { command: 'waybill init', does: 'make this repository ready' },
    { command: 'waybill init --dry-run', does: 'say what would be done' },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: (given, app) => init(given, app),
})

async function init({ dryRun = false, newLog = false }: Input, app: App): Promise<InitOutput> {
  const { root } = app
  // First what may refuse, so that nothing is half done.
  const ignore = planIgnore(root)
  const state = planState(root)
  const { config, keys, holders, carryOut } = await planKeysAndConfig(app, state.path, newLog)
  // Keys are made last: by then Git passes over their folder.
  const [ignored, kept] = [ignore, state].map(({ write, ...step }) =>
    dryRun ? step : (write?.() ?? step),
  )
  const made = dryRun ? holders : await carryOut()
  const steps = [config, ignored, kept, keys].filter(step => step !== undefined)
  return { root, dryRun, steps, keys: made, next: NEXT }
}

const NEXT = [
  { command: 'waybill check', does: 'check every document below this folder' },
  {
    command: 'waybill check --baseline',
    does: 'excuse today’s errors, so that only new ones count',
  },
  { command: 'waybill key list', does: 'see whose keys count, and where their private halves are' },
  { command: 'waybill schema', does: 'list the documents that there can be' },
  { command: 'waybill doctor', does: 'see whether all is well' },
] as const

/** A step with what carries it out, which may answer that it found things changed. */
type Plan = InitStep & { readonly write?: () => InitStep | undefined }

function planIgnore(root: string): Plan {
  const path = IGNORE_FILE
  const file = join(root, path)
  if (!entry(file)) {
    const kept: InitStep = {
      path,
      action: 'kept',
      note: 'was written by somebody else just now; run this again',
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

/** The text with one more line, in the line ends that it has. */
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
    throw new WaybillError('exists', `${path.slice(0, -1)} is there, but it is no folder`, {
      hint: 'move it away: the folder of this name holds local state',
    })
  }
  if (found) return { path, action: 'kept', note: 'is already there' }
  return {
    path,
    action: 'created',
    note: 'holds local state that only its owner may read',
    write: () => {
      openStateFolder(root)
      return undefined
    },
  }
}

function entry(file: string): boolean {
  return lookAt(file) !== undefined
}

/** The real place of a file: a link is followed and kept, but not out of the repository. */
function insideRoot(file: string, root: string): string {
  try {
    const real = realpathSync(file)
    if (real.startsWith(realpathSync(root) + sep) || dirname(real) === realpathSync(root))
      return real
  } catch (cause) {
    const isDead = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw cannot(
      `${IGNORE_FILE} ${isDead ? 'is a link that leads nowhere' : 'cannot be read'}`,
      cause,
    )
  }
  throw new WaybillError(
    'input-output',
    `${IGNORE_FILE} is a link that leads out of the repository`,
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
