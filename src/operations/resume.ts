import { maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { isDraft, type Lineage, readLineage } from '../session/index.ts'
import { loadConfig, openStateFolder, userName } from '../workspace/index.ts'
import { mustSuffice, USUAL_BUDGET } from './brief/budget.ts'
import { pathUnderRoot } from './chain/named.ts'
import { openFacts } from './check/facts.ts'
import { settled } from './gateway/settle.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { examine, newestValid } from './resume/choose.ts'
import { type ResumeRequest, refuseAtOnce, takeSteps } from './resume/go-on.ts'
import type { ResumeOutput } from './resume/output.ts'

const input = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      placeholder: 'file',
      description: 'The handoff document (default: the newest valid one).',
    },
    as: {
      type: 'string',
      placeholder: 'agent',
      description: 'Who resumes (default: your name in Git).',
    },
    session: { type: 'string', placeholder: 'id', description: 'The session that resumes.' },
    verifiedBy: {
      type: 'string',
      placeholder: 'who',
      actor: 'human',
      description: 'The person who verified that a stale document still holds.',
    },
    note: {
      type: 'string',
      placeholder: 'why',
      actor: 'human',
      description: 'Why it still holds; required with --verified-by.',
    },
    runChecks: {
      type: 'boolean',
      actor: 'human',
      description: 'Run the commands of its verification checklist, after showing them.',
    },
    yes: {
      type: 'boolean',
      actor: 'human',
      description: 'Run them without asking; required where there is no terminal.',
    },
    timeout: {
      type: 'integer',
      placeholder: 'seconds',
      actor: 'human',
      description: 'The timeout of each command, in seconds (default: 300).',
    },
    budget: {
      type: 'integer',
      placeholder: 'tokens',
      description: `The maximum size of the brief; a token is 3.5 bytes (default: ${USUAL_BUDGET}).`,
    },
  },
} as const

/** Resumes from a handoff document, or says why not. */
export default defineOperation({
  name: 'resume',
  summary: 'Resume work from a handoff document',
  description:
    'Checks the document, its staleness, chain, evidence and branch, runs its checklist if requested, then prints the ' +
    'brief. A stale document must be verified by a person first: --verified-by and --note are recorded and hold until the ' +
    'document changes. Records who resumes, and warns if others did. Exits with 1 when the document is refused.',
  examples: [
    { command: 'waybill resume', does: 'resume from the newest valid handoff' },
    { command: 'waybill resume --as codex --session s-42', does: 'name the agent and session' },
    {
      command: 'waybill resume handoffs/2026-02-11T14-30-00Z-schema.md --run-checks',
      does: 'run its checklist first',
    },
    {
      command: "waybill resume --verified-by 'Ada' --note 'CI is green, nothing was merged'",
      does: 'resume from a stale handoff',
    },
  ],
  actor: 'any',
  effect: 'write',
  rootOf: 'documents',
  input,
  run: (given, app) => settled(resume(given, { ...app, memory: new Map() }), app),
  failed: ({ accepted }) => !accepted,
})

async function resume(given: TypeOf<typeof input>, app: App): Promise<ResumeOutput> {
  const request = readRequest(given, app)
  const config = await loadConfig(app.root)
  const path = given.path === undefined ? undefined : pathUnderRoot(given.path, app)
  const also = path === undefined ? [] : [path]
  const { ignore, headings } = config
  const lineage = await readLineage(app.root, { ignore, headings, also })
  if (path === undefined && !lineage.members.some(({ handoff }) => handoff)) throw nothingToResume()
  // Fail before any work when the result could not be recorded.
  openStateFolder(app.root, 'records')
  const sources = openFacts(app, config)
  if (path === undefined) {
    const { newest, passedOver } = await newestValid(lineage, app, sources)
    return takeSteps(newest, { request, lineage, passedOver, app, sources })
  }
  if (isDraft(path)) return refuseAtOnce(path, DRAFT, { request, app })
  const candidate = await examine(memberAt(path, lineage), sources)
  return takeSteps(candidate, { request, lineage, passedOver: [], app, sources })
}

const DRAFT = {
  code: 'resume/draft',
  message: 'cannot resume from a draft',
  hint: "finish it, and remove '.draft' from its name",
} as const

function memberAt(path: string, { byPath }: Lineage) {
  const member = byPath.get(path)
  if (!member) throw new Error(`${path} was not read`)
  return member
}

function nothingToResume(): WaybillError {
  return new WaybillError('not-found', 'there is no handoff document in this repository', {
    hint: 'waybill new handoff-note writes one; waybill adopt makes one of a file in another shape',
  })
}

function readRequest(given: TypeOf<typeof input>, app: App): ResumeRequest {
  const { session = null, verifiedBy, note, runChecks = false, yes = false, timeout = 300 } = given
  const { budget = USUAL_BUDGET } = given
  mustSuffice(budget)
  if ((verifiedBy === undefined) !== (note === undefined) || isBlank(verifiedBy) || isBlank(note)) {
    throw new WaybillError('usage', '--verified-by and --note go together and must not be blank', {
      hint: 'name the person who verified the document, and why it still holds',
    })
  }
  // Timers take milliseconds in 31 bits.
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > 2_000_000)
    throw new WaybillError('usage', '--timeout must be a number of seconds, at least 1')
  return {
    by: maskSecrets(given.as ?? userName(app.root)),
    session: session === null ? null : maskSecrets(session),
    at: new Date(app.now).toISOString(),
    ...(verifiedBy !== undefined &&
      note !== undefined && { verified: { by: maskSecrets(verifiedBy), note: maskSecrets(note) } }),
    checks: { run: runChecks, yes, timeout: timeout * 1000 },
    budget,
  }
}

function isBlank(text: string | undefined): boolean {
  return text?.trim() === ''
}
