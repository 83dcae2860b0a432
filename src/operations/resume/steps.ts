import { relative, resolve } from 'node:path'
import { counted, quote, shellWord } from '../../contract/index.ts'
import { type Classification, evidencePaths, type HouseHeadings } from '../../contracts/index.ts'
import { formatAge } from '../../document/index.ts'
import { ancestorsOf, type Lineage, type Member, problemsOf } from '../../session/index.ts'
import { currentBranch, openFiles } from '../../workspace/index.ts'
import { subjectsOf } from '../chain/broken.ts'
import { maskFields } from '../chain/mask.ts'
import type { FactSources } from '../check/fact-sources.ts'
import { branchHistory, isMerged } from '../check/lineage-facts.ts'
import type { DocumentReport } from '../check/output.ts'
import type { App } from '../operation.ts'
import type { Candidate } from './choose.ts'
import type { ResumeFinding } from './codes.ts'
import type { Journey } from './journey.ts'
import type { ResumeDiagnostic, ResumeOutput } from './output.ts'

/** Returns the diagnostics of a document without infos. */
export function diagnosticsOf({ path, diagnostics }: DocumentReport): ResumeDiagnostic[] {
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, severity, message, hint, line }) => ({
      code,
      severity,
      message,
      ...(hint !== undefined && { hint }),
      path,
      line,
    }))
}

/** Checks the chain: every link behind the document must hold. */
export function takeChain(
  journey: Journey,
  member: Member,
  lineage: Lineage,
  app: App,
): ResumeOutput['chain'] {
  const ancestors = ancestorsOf(member)
  const line = new Set([member, ...ancestors].map(({ path }) => path))
  const broken = problemsOf(lineage).filter(
    problem => problem.severity !== 'info' && subjectsOf(problem).some(path => line.has(path)),
  )
  const found: ResumeDiagnostic[] = broken.map(({ code, severity, message, hint, documents }) => ({
    code,
    severity,
    message,
    hint,
    path: documents[0] ?? member.path,
  }))
  const successors = lineage.successors.get(member) ?? []
  const later = successors.at(-1)
  if (later) {
    const others = successors.length - 1
    const more = others > 0 ? ` and ${counted(others, 'older one')}` : ''
    found.push({
      code: 'resume/continued',
      severity: 'warning',
      message: `${quote(later.path)}${more} continues this handoff already`,
      hint: `resume from that one, unless you mean to start a fork: waybill resume ${typed(later.path, app)}`,
      path: later.path,
    } satisfies ResumeFinding)
  }
  const [first] = ancestors
  const detail = first ? `${counted(ancestors.length, 'document')} before it` : 'first in its chain'
  journey.take('chain', detail, ...found)
  return ancestors.map(shown)
}

function shown(member: Member): ResumeOutput['chain'][number] {
  const { path, timestamp = null, agent = null, title = null } = member
  return maskFields({ path, timestamp, agent, title })
}

/** Checks that the evidence of the document exists. */
export function takeReferences(
  journey: Journey,
  { document, member }: Candidate,
  headings: HouseHeadings | undefined,
  { root }: App,
): ResumeOutput['references'] {
  const files = openFiles(root)
  const exists = (path: string) => {
    const kind = files.kindOf(path)
    return kind === 'file' || kind === 'directory' || (kind === 'missing' && files.matches(path))
  }
  const place = { path: member.path, headings }
  const paths = document?.value ? [...new Set(evidencePaths(document, place))] : []
  const references = paths.map(path => ({ path, exists: exists(path) }))
  // Usually the check refuses missing evidence; a repository may lower that rule.
  const missing = references.filter(reference => !reference.exists)
  const found = missing.map(
    ({ path }): ResumeFinding => ({
      code: 'resume/no-evidence',
      severity: 'warning',
      message: `the evidence ${quote(path)} does not exist`,
      path: member.path,
    }),
  )
  const detail = `${references.length - missing.length} of ${references.length} exist`
  journey.take('references', references.length === 0 ? 'none are named' : detail, ...found)
  return references
}

/** Checks that the branch of the document is checked out. */
export function takeBranch(
  journey: Journey,
  { member }: Candidate,
  sources: FactSources,
): ResumeOutput['branch'] {
  const stated = member.branch ?? null
  const checkedOut = currentBranch(sources.root) ?? null
  const state = stateOf(member, checkedOut, sources)
  const caution = cautionOf(state, stated, checkedOut)
  const detail = {
    'checked-out': `${stated} is checked out`,
    'no-repository': 'not a Git repository',
    unknown: 'it names none',
  }
  journey.take(
    'branch',
    caution?.message ?? detail[state as keyof typeof detail] ?? state,
    ...(caution ? [{ ...caution, path: member.path }] : []),
  )
  return { stated, checkedOut, state }
}

type BranchState = NonNullable<ResumeOutput['branch']>['state']

function stateOf(
  { branch = '', path }: Member,
  checkedOut: string | null,
  sources: FactSources,
): BranchState {
  if (branch === '') return 'unknown'
  const history = branchHistory(branch, sources)
  if (history === 'no repository') return 'no-repository'
  if (history === 'unreadable') return 'unknown'
  if (isMerged(branch, path, sources)) return 'merged'
  if (history === 'gone') return 'gone'
  if (history.branch === 'diverged') return 'diverged'
  return checkedOut === branch ? 'checked-out' : 'elsewhere'
}

function cautionOf(
  state: BranchState,
  stated: string | null,
  checkedOut: string | null,
): Omit<ResumeFinding, 'path'> | undefined {
  const name = quote(stated ?? '')
  const caution = (message: string, hint: string) =>
    ({ code: 'resume/other-branch', severity: 'warning', message, hint }) as const
  const where = checkedOut === null ? 'no branch is' : `${quote(checkedOut)} is`
  switch (state) {
    case 'elsewhere':
      return caution(
        `it was written on ${name}, and ${where} checked out`,
        `git switch ${shellWord(stated ?? '')}`,
      )
    case 'diverged':
      return caution(
        `its branch ${name} has diverged from its upstream`,
        'merge or rebase before you continue',
      )
    case 'merged':
      return caution(
        `its branch ${name} was merged, and ${where} checked out`,
        'continue here; compare what it says with what was merged since',
      )
    case 'gone':
      return caution(
        `its branch ${name} is gone, and ${where} checked out`,
        'find out where its work went: it may have been renamed or merged',
      )
    case 'unknown':
      // A note need not name one.
      if (stated === null) return undefined
      return caution('Git cannot read this repository', 'see waybill doctor')
    default:
      return undefined
  }
}

/** Returns the diagnostic for the staleness of a document. */
export function stalenessFound(
  { staleness, reason }: Classification,
  path: string,
  app: App,
): ResumeFinding[] {
  if (staleness === 'fresh') return []
  if (staleness === 'slightly stale') {
    const hint = 'verify the most important parts before you build on them'
    return [
      {
        code: 'resume/slightly-stale',
        severity: 'warning',
        message: `slightly stale: ${reason}`,
        hint,
        path,
      },
    ]
  }
  const instead =
    staleness === 'stale' ? '' : '; or write a new one with waybill new handoff-document'
  return [
    {
      code: 'resume/stale',
      severity: 'error',
      message: `cannot resume from this handoff yet: ${staleness}, ${reason}; a person has to verify it first`,
      hint: `waybill resume ${typed(path, app)} --verified-by <who> --note <why it still holds>${instead}`,
      path,
    },
  ]
}

/** Returns a path relative to the current folder, quoted for the shell. */
function typed(path: string, { cwd, root }: App): string {
  return shellWord(relative(cwd, resolve(root, path)) || path)
}

/** A plain name; longer text could be mistaken for our own words. */
const NAME = /^[\p{L}\p{N}_.@+-]+(?: [\p{L}\p{N}_.@+-]+){0,3}$/u

/** Describes the record, author and age of a document. */
export function aboutOf({ adr, agent, time }: Member, now: number): string {
  const names = [adr, agent].filter(name => name !== undefined)
  const age = time === undefined ? [] : [formatAge(now - time)]
  const isName = (text: string) => text.length <= 60 && NAME.test(text)
  return [...names.map(name => (isName(name) ? name : quote(name))), ...age].join(', ')
}
