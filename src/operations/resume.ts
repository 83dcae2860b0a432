import { maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { isDraft, type Lineage, readLineage } from '../session/index.ts'
import { loadConfig, openStateFolder, userName } from '../workspace/index.ts'
import { pathUnderRoot } from './chain/named.ts'
import { openFacts } from './check/facts.ts'
import { settled } from './gateway/settle.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { examine, newestValid } from './resume/choose.ts'
import { type Errand, goOn, refuseAtOnce } from './resume/go-on.ts'
import type { ResumeOutput } from './resume/output.ts'

const input = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      placeholder: 'file',
      description: 'The handoff document (default: the newest that is valid).',
    },
    as: {
      type: 'string',
      placeholder: 'agent',
      description: 'Who resumes (default: your name, as Git knows it).',
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
      description: 'Why it still holds; goes with --verified-by.',
    },
    runChecks: {
      type: 'boolean',
      actor: 'human',
      description: 'Run the commands of its verification checklist; each is shown first.',
    },
    yes: {
      type: 'boolean',
      actor: 'human',
      description: 'Run them without asking; needed where nobody can be asked.',
    },
    timeout: {
      type: 'integer',
      placeholder: 'seconds',
      actor: 'human',
      description: 'How long each command may take (default: 300).',
    },
  },
} as const

/** Lets a session go on from a handoff document, or says why it may not. */
export default defineOperation({
  name: 'resume',
  summary: 'Go on from a handoff document: validate, verify, then print what to read',
  description:
    'The document is checked, its staleness told, its chain followed, its evidence and branch looked for, and the ' +
    'checks in it are run if you ask for it; then comes the brief. From stale on, a person has to verify it first: ' +
    '--verified-by and --note are recorded, and hold until a byte of it changes. Whoever resumes is recorded, and told of ' +
    'others who did. Exits with 1 when the document is refused.',
  examples: [
    { command: 'waybill resume', does: 'go on from the newest valid handoff' },
    { command: 'waybill resume --as codex --session s-42', does: 'say who goes on' },
    {
      command: 'waybill resume handoffs/2026-02-11T14-30-00Z-schema.md --run-checks',
      does: 'run its checks first',
    },
    {
      command: "waybill resume --verified-by 'Ada' --note 'CI is green, nothing was merged'",
      does: 'go on from a stale one',
    },
  ],
  actor: 'any',
  effect: 'write',
  rootOf: 'documents',
  input,
  run: (given, app) => settled(resume(given, app), app),
  failed: ({ accepted }) => !accepted,
})

async function resume(given: TypeOf<typeof input>, app: App): Promise<ResumeOutput> {
  const errand = readErrand(given, app)
  const config = await loadConfig(app.root)
  const path = given.path === undefined ? undefined : pathUnderRoot(given.path, app)
  const also = path === undefined ? [] : [path]
  const lineage = await readLineage(app.root, { ignore: config.ignore, also })
  if (path === undefined && !lineage.members.some(({ handoff }) => handoff)) throw nothingToResume()
  // Nothing is resumed that could not be recorded.
  openStateFolder(app.root, 'records')
  const sources = openFacts(app, config)
  if (path === undefined) {
    const { newest, passedOver } = await newestValid(lineage, app, sources)
    return goOn(newest, { errand, lineage, passedOver, app, sources })
  }
  if (isDraft(path)) return refuseAtOnce(path, DRAFT, { errand, app })
  const candidate = await examine(memberAt(path, lineage), sources)
  return goOn(candidate, { errand, lineage, passedOver: [], app, sources })
}

const DRAFT = {
  code: 'resume/draft',
  message: 'this is a draft, and nobody goes on from one',
  hint: "finish it, and take '.draft' out of its name",
} as const

function memberAt(path: string, { byPath }: Lineage) {
  const member = byPath.get(path)
  if (!member) throw new Error(`${path} was not read`)
  return member
}

function nothingToResume(): WaybillError {
  return new WaybillError('not-found', 'there is no handoff document in this repository', {
    hint: 'waybill new handoff-document writes one',
  })
}

function readErrand(given: TypeOf<typeof input>, app: App): Errand {
  const { session = null, verifiedBy, note, runChecks = false, yes = false, timeout = 300 } = given
  if ((verifiedBy === undefined) !== (note === undefined) || isBlank(verifiedBy) || isBlank(note)) {
    throw new WaybillError(
      'usage',
      '--verified-by and --note go together, and both say something',
      {
        hint: 'say who verified the document, and why it still holds',
      },
    )
  }
  // A timer counts milliseconds in 31 bits.
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > 2_000_000)
    throw new WaybillError('usage', '--timeout is a number of seconds, at least 1')
  return {
    by: maskSecrets(given.as ?? userName(app.root)),
    session: session === null ? null : maskSecrets(session),
    at: new Date(app.now).toISOString(),
    ...(verifiedBy !== undefined &&
      note !== undefined && { verified: { by: maskSecrets(verifiedBy), note: maskSecrets(note) } }),
    checks: { run: runChecks, yes, timeout: timeout * 1000 },
  }
}

function isBlank(text: string | undefined): boolean {
  return text?.trim() === ''
}
