import { join } from 'node:path'
import { quote, spelled } from '../../contract/index.ts'
import { type SessionContext, type Unit, withRules } from '../../contracts/index.ts'
import type {
  Before,
  Begun,
  Judged,
  PipelineAttempt,
  PipelineKeeper,
  PipelineMissionOf,
  PipelineReason,
} from '../../mission/index.ts'
import { agentAt, unitsOf } from '../../session/index.ts'
import type { Store } from '../../store/index.ts'
import { rootOfWorktree } from '../../workspace/index.ts'
import { settled } from '../gateway/settle.ts'
import { rulesInForce } from '../in-force/rules.ts'
import type { App } from '../operation.ts'
import { placeIn, placeOf, readContext, versionAt } from './contexts.ts'
import { followMissionIn } from './follow.ts'
import { contextIn, judgeAnswer, noteWritten } from './judge.ts'
import type { Pipeline } from './open.ts'
import { isSound, openPatiently } from './open-patiently.ts'
import { type Places, whyMisplaced, whyOccupied } from './places.ts'
import { setPatiently } from './set-patiently.ts'

/**
 * Updates the orchestration files of a repository while missions run them; `appNow` returns the app with the current
 * time. Other installations and worktrees that share the database have files of their own under the same paths.
 */
export function pipelineKeeper(own: string, appNow: () => App): PipelineKeeper {
  const appFor = ({ installation = own, worktree }: PipelineMissionOf): App | undefined => {
    const app = appNow()
    const root = installation === own ? rootOfWorktree(worktree, app.root) : undefined
    return root === undefined ? undefined : { ...app, root }
  }
  return {
    async begin(which, store) {
      const app = appFor(which)
      return app ? begin(which, { store, app }) : refused('pipeline/gone', whyElsewhere(which, own))
    },
    async judge(which, answer, before) {
      const app = appFor(which)
      return app ? judge(which, answer, { app, before }) : gone(whyElsewhere(which, own))
    },
    note(which, { output, before, answer }) {
      const app = appFor(which)
      if (app && contextIn(answer) === undefined) noteWritten(output, { app, before })
    },
    async follow(which, store) {
      const app = appFor(which)
      if (!app) return
      const unset = await followMissionIn(which, store, app)
      for (const { address, refused } of unset)
        app.tell?.(spelled(`${which.file}: ${address} stays as it is: ${refused[0]?.message}`))
    },
  }
}

async function agentIn({ file, address }: PipelineAttempt, app: App) {
  const pipeline = await openPatiently(join(app.root, file), app, isSound)
  const unit = unitsOf(pipeline.standing).find(one => one.address === address)
  const agent = unit && agentAt(unit, pipeline.value)
  const fault = whyFaulty(pipeline)
  if (!agent) return { why: fault ?? `${quote(address)} is no longer in ${pipeline.path}` }
  const { input, output } = agent.session_context ?? {}
  const places: Places = {
    input: input ? placeIn(input, file, app) : null,
    output: output ? placeOf(output) : null,
    artifact: agent.artifact ? placeOf(agent.artifact) : null,
  }
  return { pipeline, fault, unit, agent, places, misplaced: () => whyMisplaced(places, file, app) }
}

/** An error may hide parts of the document, so it is reported before a missing agent. */
function whyFaulty({ path, report }: Pipeline): string | undefined {
  const fault = report.diagnostics.find(({ severity }) => severity === 'error')
  return fault && `${path} has an error in line ${fault.line}: ${fault.message}`
}

async function begin(
  which: PipelineAttempt,
  { store, app }: { readonly store: Store; readonly app: App },
): Promise<Begun> {
  const { file, address } = which
  // Earlier agents may be done in the database but not in the file yet.
  await followMissionIn(which, store, app)
  const found = await agentIn(which, app)
  if ('why' in found) return refused('pipeline/gone', found.why)
  const { unit, places } = found
  const held = whyHeld(unit, which, found.fault)
  if (held) return held
  const misplaced = await found.misplaced()
  if (misplaced) return refused(misplaced.code, `${address} cannot start: ${misplaced.message}`)
  const { input, output, artifact } = places
  // An interrupted attempt may have left half a file; before a new start another process may have written there.
  const isAnew = !which.isContinued && (which.attempt === 1 || unit.stated !== 'IN_PROGRESS')
  const occupied = isAnew && output !== null ? await whyOccupied(output, app) : undefined
  if (occupied !== undefined)
    return refused('pipeline/reserved-place', `${address} cannot start: ${occupied}`)
  if (!isAnew && !which.isContinued && output !== null) noteWritten(output, { app, before: {} })
  const read = input === null ? null : await readInput(input, isAgain(unit, which), app)
  if (read && 'refused' in read) return read
  const setting = { target: address, status: 'IN_PROGRESS', file: join(app.root, file) } as const
  const set = await settled(setPatiently(setting, app), app)
  const [why] = set.refused
  if (why) return refused(why.code as PipelineReason, why.message)
  return {
    root: app.root,
    session: { orchestration: file, address, input: read, output, artifact },
    before: {
      output: versionOf(output, app),
      artifact: versionOf(artifact, app),
      ...limitOf(found.pipeline),
    },
  }
}

/** Says why the file does not let an agent start. */
function whyHeld(
  { address, stated, reasons }: Unit,
  { isContinued }: PipelineAttempt,
  fault: string | undefined,
) {
  // An error may hide the order of the document.
  if (fault) return refused('pipeline/sound-document', `${address} cannot start: ${fault}`)
  if (stated === 'COMPLETE')
    return refused('pipeline/complete', `${address} was set to COMPLETE by another process`)
  // Only a person may start a blocked agent; nothing starts in an inactive workflow.
  const held = reasons.find(
    ({ kind }) => kind === 'stated' || (kind === 'workflow' && !isContinued),
  )
  return held && refused('pipeline/ready', `${address} cannot start: ${held.message}`)
}

function whyElsewhere(which: PipelineMissionOf, own: string): string {
  const { file, installation = own, worktree } = which
  return installation === own
    ? `${file} is in the worktree ${quote(worktree ?? '')}, which is not on this machine or was removed`
    : `${file} is in another repository, that of ${installation}: use a separate database for each`
}

function versionOf(path: string | null, app: App): string | undefined {
  return path === null ? undefined : versionAt(path, app)
}

function refused(code: PipelineReason, message: string): Begun & { readonly refused: unknown } {
  return { refused: { code, message } }
}

/** Whether an agent starts again: setting its status then reports nothing about missing inputs. */
function isAgain({ stated }: Unit, { isContinued, isRepair }: PipelineAttempt): boolean {
  return stated === 'IN_PROGRESS' && (isRepair || !isContinued)
}

async function readInput(path: string, isNeeded: boolean, app: App) {
  const read = await readContext(path, app)
  if (!('faults' in read)) {
    const document = withRules(read.value as SessionContext, await rulesInForce(app))
    return { path, sha256: read.sha256, document }
  }
  const [fault] = read.faults
  // A missing input is a reason to wait; setting the status reports it better.
  if (fault?.code === 'pipeline/outputs-exist' && !isNeeded) return null
  const code = (fault?.code ?? 'document/unrecognised') as PipelineReason
  return refused(code, `its input ${path}: ${fault?.message}`)
}

/** Reads the nesting limit of the file, which may hold anything. */
function limitOf({ value }: Pipeline): Pick<Before, 'deepest'> {
  const { max_agent_nesting: deepest }: { readonly max_agent_nesting?: unknown } =
    value.workflow?.constraints ?? {}
  return typeof deepest === 'number' ? { deepest } : {}
}

async function judge(
  which: PipelineAttempt,
  answer: unknown,
  { app, before }: { readonly app: App; readonly before: Before },
): Promise<Judged> {
  const found = await agentIn(which, app)
  if ('why' in found) return gone(found.why)
  const { agent, pipeline, places, misplaced } = found
  return judgeAnswer(answer, {
    agent: agent.id,
    workflow: pipeline.value.workflow?.id ?? null,
    output: places.output,
    artifact: places.artifact,
    before,
    app,
    misplaced,
  })
}

function gone(message: string): Judged {
  const hint = 'the orchestration file was changed while the agent worked'
  return { faults: [{ code: 'pipeline/gone', path: '', message, hint }] }
}
