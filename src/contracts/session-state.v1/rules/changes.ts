import { listed, quote, type Rules } from '../../../contract/index.ts'
import { plansSchemaOrContract } from '../artifacts.ts'
import { isEmpty } from '../empty.ts'
import { isFull } from '../output-mode.ts'
import { hasReached } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { pathOf, plannedOutside } from '../working-set.ts'

const LISTED = 5

/** Files that change only when dependencies do. */
const LOCKFILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'deno.lock',
  'cargo.lock',
  'poetry.lock',
  'uv.lock',
  'pipfile.lock',
  'composer.lock',
  'gemfile.lock',
  'go.sum',
  'gradle.lockfile',
  'packages.lock.json',
  'bun.lockb',
  'pdm.lock',
  'podfile.lock',
  'package.resolved',
  'pubspec.lock',
  'mix.lock',
  'flake.lock',
])

/** That a risky change comes with what it takes to make it safely. */
export const changeRules = {
  'schema-change-has-rollback': {
    severity: 'error',
    summary: 'From phase 4 on a planned schema or contract change has a rollback strategy.',
    why: 'When it goes wrong there is no time to think one up.',
    reads: ['/Phase', '/TouchedSurface', '/RollbackStrategy'],
    *check(state) {
      if (!hasReached(state, '4') || !plansSchemaOrContract(state)) return
      if (!isEmpty(state.RollbackStrategy)) return
      const schema = (state.TouchedSurface?.SchemaPlanned ?? []).length > 0
      yield {
        path: state.RollbackStrategy
          ? ['RollbackStrategy']
          : ['TouchedSurface', schema ? 'SchemaPlanned' : 'ContractsPlanned'],
        atKey: true,
        message: `a ${schema ? 'schema' : 'contract'} change is planned, and ${state.RollbackStrategy ? 'RollbackStrategy is empty' : 'there is no RollbackStrategy'}`,
        hint: 'add RollbackStrategy with Type, Steps, DataMigrationReversible and Risk',
      }
    },
  },
  'irreversible-has-steps': {
    severity: 'error',
    summary: 'A data migration that cannot be taken back has steps that make it safe.',
    why: 'Without a backup or a second copy, a fault destroys data for good.',
    reads: ['/RollbackStrategy/DataMigrationReversible', '/RollbackStrategy/Steps'],
    *check({ RollbackStrategy = {} }) {
      const { DataMigrationReversible, Steps = [] } = RollbackStrategy
      if (DataMigrationReversible !== false || Steps.some(step => step.trim() !== '')) return
      yield {
        path: ['RollbackStrategy', 'Steps'],
        message: 'the data migration cannot be taken back, and no steps make it safe',
        hint: 'add the steps: a backup, dual writes, shadow reads',
      }
    },
  },
  'contract-change-has-consumers': {
    severity: 'error',
    summary:
      'A planned contract change says which consumers it affects, unless the session is blocked.',
    why: 'A consumer that was not thought of learns of the change when it breaks.',
    reads: ['/Mode', '/TouchedSurface/ContractsPlanned', '/CrossRepoImpact'],
    *check({ Mode, TouchedSurface, CrossRepoImpact }) {
      if (Mode === 'BLOCKED' || (TouchedSurface?.ContractsPlanned ?? []).length === 0) return
      const { AffectedServices, RequiredSyncPRs } = CrossRepoImpact ?? {}
      if (AffectedServices !== undefined || !isEmpty(RequiredSyncPRs)) return
      yield {
        path: ['TouchedSurface', 'ContractsPlanned'],
        atKey: true,
        message: 'a contract change is planned, and CrossRepoImpact names no AffectedServices',
        hint: 'list the consumers, write AffectedServices: [] where there are none, or block the session until they are known',
      }
    },
  },
  'dependency-change-is-listed': {
    severity: 'error',
    summary: 'From phase 4 on a plan that changes a lock file lists the dependencies that change.',
    why: 'A new version of a package is code from outside that nobody here has read.',
    reads: ['/Phase', '/TouchedSurface/FilesPlanned'],
    *check(state) {
      if (!hasReached(state, '4') || !isFull(state) || state.DependencyChanges !== undefined) return
      for (const [i, file] of (state.TouchedSurface?.FilesPlanned ?? []).entries()) {
        const path = pathOf(file)
        if (!path || !LOCKFILES.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase())) continue
        yield {
          path: ['TouchedSurface', 'FilesPlanned', i],
          message: `${quote(path)} is to change, and there are no DependencyChanges`,
          hint: 'add DependencyChanges with Added, Updated and Removed, empty where nothing changes',
        }
        return
      }
    },
  },
  'plan-within-working-set': {
    severity: 'warning',
    summary: 'Every planned file lies in a place of the working set, where there is one.',
    why: 'A plan is grounded in what was looked at; a file elsewhere was chosen without that ground, or the set is out of date.',
    reads: ['/WorkingSet', '/TouchedSurface/FilesPlanned'],
    *check(state) {
      const outside = (state.WorkingSet ?? []).length > 0 ? plannedOutside(state) : []
      const [first] = outside
      if (!first) return
      const names = outside.slice(0, LISTED).map(({ path }) => quote(path))
      const rest = outside.length - names.length
      yield {
        path: ['TouchedSurface', 'FilesPlanned', first.index],
        message: `${listed(rest > 0 ? [...names, `${rest} more`] : names)} ${outside.length === 1 ? 'is' : 'are'} planned outside the working set`,
        hint: 'add the place to the working set with the evidence that calls for it, or take the file out of the plan',
      }
    },
  },
  'dependency-risk-stated': {
    severity: 'error',
    summary: 'From phase 5 on every added or updated dependency says what its risk is.',
    why: 'The security check of phase 5 has to look at each of them.',
    reads: ['/Phase', '/DependencyChanges'],
    *check(state) {
      if (!hasReached(state, '5')) return
      for (const list of ['Added', 'Updated'] as const) {
        for (const [i, entry] of (state.DependencyChanges?.[list] ?? []).entries()) {
          if (entry.risk !== undefined || entry.securityNotes?.trim()) continue
          yield {
            path: ['DependencyChanges', list, i],
            message: `nothing is said of the risk of ${quote(entry.name ?? `entry ${i + 1}`)}`,
            hint: 'add risk (low, medium or high) or securityNotes',
          }
        }
      }
    },
  },
} satisfies Rules<SessionState>
