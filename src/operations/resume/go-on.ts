import { counted } from '../../contract/index.ts'
import { checklistOf, classifyStaleness } from '../../contracts/index.ts'
import {
  areRecordsTracked,
  findVerification,
  type Lineage,
  type Resumer,
  recordRefusal,
  recordResume,
  recordVerification,
} from '../../session/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { ageLimitsIn } from '../check/age-limits.ts'
import type { FactSources } from '../check/fact-sources.ts'
import type { App } from '../operation.ts'
import { cleanse } from '../show/cleanse.ts'
import { briefOf } from './brief.ts'
import { changesFound, changesOf } from './changes.ts'
import { type ChecksWanted, takeChecks } from './checks.ts'
import { type Candidate, driftOf, isValid } from './choose.ts'
import type { ResumeFinding } from './codes.ts'
import { Journey } from './journey.ts'
import type { ResumeOutput } from './output.ts'
import {
  aboutOf,
  diagnosticsOf,
  stalenessFound,
  takeBranch,
  takeChain,
  takeReferences,
} from './steps.ts'
import { askWhyItHolds } from './verify.ts'
import {
  brokenFound,
  cautionOf,
  handoffOf,
  NONE_VALID,
  othersFound,
  passedOver,
  TRACKED,
  verifiedBy,
} from './words.ts'

/** Who resumes, and what they state. */
export interface ResumeRequest extends Resumer {
  /** A person verified the document. */
  readonly verified?: { readonly by: string; readonly note: string }
  readonly checks: ChecksWanted
  /** The most tokens of the brief. */
  readonly budget: number
}

interface ResumeContext {
  readonly request: ResumeRequest
  readonly lineage: Lineage
  readonly passedOver: readonly Candidate[]
  readonly app: App
  readonly sources: FactSources
}

/** The output so far; steps that are not reached leave the initial values. */
type Found = { -readonly [Key in keyof ResumeOutput]: ResumeOutput[Key] }

const NOTHING: Omit<Found, 'steps' | 'diagnostics' | 'accepted' | 'record'> = {
  handoff: null,
  passedOver: [],
  staleness: null,
  verification: null,
  chain: [],
  references: [],
  branch: null,
  checks: [],
  others: [],
  brief: null,
  inForce: [],
  open: [],
  left: [],
  conflicts: [],
}

/** Refuses a document without reading it. */
export function refuseAtOnce(
  path: string,
  found: Omit<ResumeFinding, 'severity' | 'path'>,
  { request, app }: Pick<ResumeContext, 'request' | 'app'>,
): ResumeOutput {
  const journey = new Journey()
  journey.take('validate', found.message, { ...found, severity: 'error', path })
  return end({ ...NOTHING }, journey, undefined, { request, app })
}

/** Takes the steps in order up to the first refusal, and records the result. */
export async function takeSteps(
  candidate: Candidate | undefined,
  around: ResumeContext,
): Promise<ResumeOutput> {
  const journey = new Journey()
  const found = { ...NOTHING, passedOver: around.passedOver.map(passedOver) }
  if (around.passedOver.length > 0)
    journey.diagnostics.push(...cautionOf(around.passedOver, candidate))
  if (!candidate) {
    journey.take('validate', 'no handoff document is valid', NONE_VALID)
    return end(found, journey, undefined, around)
  }
  found.handoff = handoffOf(candidate)
  takeValidate(journey, candidate)
  const steps = journey.refused ? [] : stepsFor(candidate, found, journey, around)
  for (const step of steps) {
    await step()
    if (journey.refused) break
  }
  return end(found, journey, candidate, around)
}

function takeValidate(journey: Journey, candidate: Candidate): void {
  const found = candidate.reports.flatMap(diagnosticsOf)
  const warnings = found.filter(({ severity }) => severity === 'warning').length
  const errors = found.length - warnings
  const words = warnings > 0 ? `accepted, with ${counted(warnings, 'warning')}` : 'accepted'
  journey.take(
    'validate',
    isValid(candidate) ? words : `rejected: ${counted(errors, 'error')}`,
    ...found,
  )
}

type Parts = Omit<Found, 'steps' | 'diagnostics' | 'accepted' | 'record'>

function stepsFor(
  candidate: Candidate,
  found: Parts,
  journey: Journey,
  { lineage, request, app, sources }: ResumeContext,
): (() => Promise<void> | void)[] {
  const { member, document } = candidate
  return [
    () => takeClassify(candidate, found, journey, { request, app, sources }),
    () => journey.take('load', aboutOf(member, app.now)),
    () => {
      found.chain = takeChain(journey, member, lineage, app)
    },
    () => {
      found.references = takeReferences(journey, candidate, lineage.headings, app)
    },
    () => {
      found.branch = takeBranch(journey, candidate, sources)
    },
    async () => {
      const items = document
        ? checklistOf(document, { path: member.path, headings: lineage.headings })
        : []
      found.checks = await takeChecks(journey, items, request.checks, app)
    },
    async () => {
      const { brief, inForce, open, left, conflicts } = await briefOf(
        journey,
        candidate,
        lineage,
        request.budget,
        app,
      )
      Object.assign(found, { brief, inForce, open, left, conflicts })
    },
  ]
}

async function takeClassify(
  { member, digest = '', document }: Candidate,
  found: Parts,
  journey: Journey,
  { request, app, sources }: Pick<ResumeContext, 'request' | 'app' | 'sources'>,
): Promise<void> {
  const drift = driftOf(member, document?.value, sources)
  const changes = changesOf(drift, document?.text ?? '')
  if (changes) found.changes = changes
  const age = app.now - (member.time ?? member.modified ?? app.now)
  const classified = classifyStaleness(age, ageLimitsIn(sources.config))
  const { staleness, factor, reason } = classified
  found.staleness = { class: staleness, factor, reason }
  const detail = `${staleness}: ${reason}`
  const doubts = stalenessFound(classified, member.path, app)
  const cautions = changesFound(drift, changes, member.path)
  const isRefused = doubts.some(({ severity }) => severity === 'error')
  if (isRefused && !request.verified) recall(digest, found, journey, app)
  const stated =
    request.verified ??
    (isRefused && !found.verification ? await askWhyItHolds(detail, cautions, app) : undefined)
  if (stated) {
    const verification = { ...stated, at: request.at }
    const subject = { path: member.path, sha256: digest }
    recordVerification(app.root, subject, verification, request.session)
    found.verification = { ...verification, standing: 'claimed', new: true }
  }
  const verified = found.verification ? [verifiedBy(found.verification, member.path)] : []
  journey.take('classify', detail, ...(verified.length > 0 ? verified : doubts), ...cautions)
}

/** Finds an earlier verification of the same bytes; one that is tracked by Git or was changed does not count. */
function recall(digest: string, found: Parts, journey: Journey, { root }: App): void {
  const { verification } = findVerification(root, digest)
  if (!verification) return
  if (areRecordsTracked(root)) {
    journey.diagnostics.push(TRACKED)
    return
  }
  found.verification = { ...verification, standing: 'claimed', new: false }
}

/** Records the result first, then looks for other sessions that resumed. */
function end(
  found: Parts,
  journey: Journey,
  candidate: Candidate | undefined,
  { request, app }: Pick<ResumeContext, 'request' | 'app'>,
): ResumeOutput {
  const { member, digest } = candidate ?? {}
  const subject = member && digest !== undefined ? { path: member.path, sha256: digest } : undefined
  const accepted = !journey.refused && subject !== undefined
  let record: string
  if (accepted) {
    const recorded = recordResume(app.root, subject, request, {
      staleness: found.staleness?.class,
      verifiedBy: found.verification?.by ?? null,
      // What this session was given, and what it was not.
      brief: sha256(JSON.stringify([found.inForce, found.left])),
    })
    record = recorded.record
    found.others = recorded.others
    journey.diagnostics.push(
      ...othersFound(recorded.others, request.session),
      ...brokenFound(recorded.broken),
    )
  } else {
    const errors = journey.diagnostics.filter(({ severity }) => severity === 'error')
    const codes = [...new Set(errors.map(({ code }) => code))]
    record = recordRefusal(app.root, subject, request, codes)
    journey.diagnostics.push(...brokenFound(findVerification(app.root, digest ?? '').broken))
  }
  const { chain, brief, inForce, ...rest } = found
  const { steps, diagnostics } = journey
  return {
    ...cleanse({ accepted, ...rest, steps, diagnostics, record }, candidate?.document?.text ?? ''),
    chain,
    brief,
    inForce,
  }
}
