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

/** The rules about risky changes. */
export const changeRules = {
  'schema-change-has-rollback': {
    severity: 'error',
    summary: 'From phase 4 on, a planned schema or contract change has a rollback strategy.',
    why: 'When the change fails, there is no time to devise one.',
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
        message: `a ${schema ? 'schema' : 'contract'} change is planned, but ${state.RollbackStrategy ? 'RollbackStrategy is empty' : 'RollbackStrategy is missing'}`,
        hint: 'add RollbackStrategy with Type, Steps, DataMigrationReversible and Risk',
      }
    },
  },
  'irreversible-has-steps': {
    severity: 'error',
    summary: 'An irreversible data migration has safety steps.',
    why: 'Without a backup or a second copy, an error destroys data permanently.',
    reads: ['/RollbackStrategy/DataMigrationReversible', '/RollbackStrategy/Steps'],
    *check({ RollbackStrategy = {} }) {
      const { DataMigrationReversible, Steps = [] } = RollbackStrategy
      if (DataMigrationReversible !== false || Steps.some(step => step.trim() !== '')) return
      yield {
        path: ['RollbackStrategy', 'Steps'],
        message: 'the data migration is irreversible, but has no safety steps',
        hint: 'add the steps: a backup, dual writes, shadow reads',
      }
    },
  },
  'contract-change-has-consumers': {
    severity: 'error',
    summary:
      'A planned contract change lists the affected consumers, unless the session is blocked.',
    why: 'An unlisted consumer notices the change only when it breaks.',
    reads: ['/Mode', '/TouchedSurface/ContractsPlanned', '/CrossRepoImpact'],
    *check({ Mode, TouchedSurface, CrossRepoImpact }) {
      if (Mode === 'BLOCKED' || (TouchedSurface?.ContractsPlanned ?? []).length === 0) return
      const { AffectedServices, RequiredSyncPRs } = CrossRepoImpact ?? {}
      if (AffectedServices !== undefined || !isEmpty(RequiredSyncPRs)) return
      yield {
        path: ['TouchedSurface', 'ContractsPlanned'],
        atKey: true,
        message: 'a contract change is planned, but CrossRepoImpact has no AffectedServices',
        hint: 'list the consumers, write AffectedServices: [] if there are none, or block the session until they are known',
      }
    },
  },
  'dependency-change-is-listed': {
    severity: 'error',
    summary: 'From phase 4 on, a plan that changes a lock file lists the changed dependencies.',
    why: 'A new package version is external code that has not been reviewed here.',
    reads: ['/Phase', '/TouchedSurface/FilesPlanned'],
    *check(state) {
      if (!hasReached(state, '4') || !isFull(state) || state.DependencyChanges !== undefined) return
      for (const [i, file] of (state.TouchedSurface?.FilesPlanned ?? []).entries()) {
        const path = pathOf(file)
        if (!path || !LOCKFILES.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase())) continue
        yield {
          path: ['TouchedSurface', 'FilesPlanned', i],
          message: `${quote(path)} is planned to change, but DependencyChanges is missing`,
          hint: 'add DependencyChanges with Added, Updated and Removed, empty if nothing changes',
        }
        return
      }
    },
  },
  'plan-within-working-set': {
    severity: 'warning',
    summary: 'Every planned file is in the working set, if there is one.',
    why: 'A plan builds on examined files; a file outside the set was not examined, or the set is outdated.',
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
        hint: 'add the place to the working set with its evidence, or remove the file from the plan',
      }
    },
  },
  'dependency-risk-stated': {
    severity: 'error',
    summary: 'From phase 5 on, every added or updated dependency states its risk.',
    why: 'The security check of phase 5 must review each of them.',
    reads: ['/Phase', '/DependencyChanges'],
    *check(state) {
      if (!hasReached(state, '5')) return
      for (const list of ['Added', 'Updated'] as const) {
        for (const [i, entry] of (state.DependencyChanges?.[list] ?? []).entries()) {
          if (entry.risk !== undefined || entry.securityNotes?.trim()) continue
          yield {
            path: ['DependencyChanges', list, i],
            message: `the risk of ${quote(entry.name ?? `entry ${i + 1}`)} is not stated`,
            hint: 'add risk (low, medium or high) or securityNotes',
          }
        }
      }
    },
  },
} satisfies Rules<SessionState>
