import { quote, type Rules } from '../../../contract/index.ts'
import { whyNotRelative } from '../../paths.ts'
import type { SessionState } from '../schema.ts'

/** The rules that bound claims by their evidence. */
export const evidenceRules = {
  'ready-has-build-evidence': {
    severity: 'error',
    summary: 'Work is not ready for a pull request while build evidence is not provided.',
    why: 'A session may claim only what its evidence shows.',
    reads: ['/Gates/P6-ImplementationQA', '/BuildEvidence/status'],
    *check({ Gates, BuildEvidence }) {
      if (Gates?.['P6-ImplementationQA'] !== 'ready-for-pr') return
      if (BuildEvidence?.status !== 'not-provided') return
      yield {
        path: ['Gates', 'P6-ImplementationQA'],
        message: 'the work is ready for a pull request, but build evidence is not provided',
        hint: 'run build and tests and record the result, or set the gate to pending',
      }
    },
  },
  'evidence-lists-runs': {
    severity: 'warning',
    summary: 'Provided build evidence lists the runs.',
    why: 'A reviewer can verify a claim only by a command and its result.',
    reads: ['/BuildEvidence'],
    *check({ BuildEvidence }) {
      const { status = 'not-provided', items = [] } = BuildEvidence ?? {}
      if (status === 'not-provided' || items.length > 0) return
      yield {
        path: ['BuildEvidence', 'status'],
        message: `the status of the build evidence is ${status}, but no run is listed`,
        hint: 'add items with tool, command and result, or write not-provided',
      }
    },
  },
  'evidence-supports-claim': {
    severity: 'warning',
    summary: 'Work that is ready for a pull request has build evidence.',
    why: 'A claim without evidence cannot be verified.',
    reads: ['/Gates/P6-ImplementationQA', '/BuildEvidence'],
    *check({ Gates, BuildEvidence }) {
      if (Gates?.['P6-ImplementationQA'] !== 'ready-for-pr') return
      if (!BuildEvidence) {
        yield {
          path: ['BuildEvidence'],
          message: 'the work is ready for a pull request, but the state has no build evidence',
          hint: 'add BuildEvidence with the commands that were run and their results',
        }
      }
    },
  },
  'ready-has-no-failed-run': {
    severity: 'error',
    summary:
      'Work is not ready for a pull request while the last run of one of its commands failed.',
    why: 'The evidence contradicts the claim.',
    reads: ['/Gates/P6-ImplementationQA', '/BuildEvidence/items'],
    *check({ Gates, BuildEvidence }) {
      if (Gates?.['P6-ImplementationQA'] !== 'ready-for-pr') return
      const items = BuildEvidence?.items ?? []
      const last = new Map(items.map((item, i) => [runOf(item, i), i]))
      for (const [i, item] of items.entries()) {
        if (item.result !== 'fail' || last.get(runOf(item, i)) !== i) continue
        yield {
          path: ['BuildEvidence', 'items', i, 'result'],
          message: `the work is ready for a pull request, but ${quote(item.tool ?? item.command ?? `run ${i + 1}`)} failed`,
          hint: 'fix it and record the new result, or set the gate to fix-required',
        }
      }
    },
  },
  'reports-are-relative': {
    severity: 'warning',
    summary: 'Reports of a run are paths in the repository, or URLs.',
    why: 'A reviewer cannot open a path of another machine, so the run cannot be verified.',
    reads: ['/BuildEvidence/items'],
    *check({ BuildEvidence }) {
      for (const [i, { artifacts = [] }] of (BuildEvidence?.items ?? []).entries()) {
        for (const [j, report] of artifacts.entries()) {
          const fault = whyNotRelative(report.trim())
          if (fault === undefined || fault === 'is a URL') continue
          yield {
            path: ['BuildEvidence', 'items', i, 'artifacts', j],
            message: `the report ${quote(report)} ${fault}`,
            hint: 'write the path relative to the root of the repository, such as target/surefire-reports, or a URL',
          }
        }
      }
    },
  },
} satisfies Rules<SessionState>

type Run = NonNullable<NonNullable<SessionState['BuildEvidence']>['items']>[number]

/** A key for runs of the same command, of which only the last counts. */
const runOf = ({ tool, command, scope }: Run, i: number) =>
  (command ?? tool) === undefined ? `entry ${i}` : JSON.stringify([tool, command, scope])
