import { counted, type Fields } from '../../contract/index.ts'
import type { SessionState } from './schema.ts'
import { pathOf } from './working-set.ts'

/** The risk of a ticket. */
export type RiskClass = 'low' | 'medium' | 'high' | 'unknown'

/** One reason for the risk, and its place in the state. */
export interface RiskReason {
  readonly risk: 'low' | 'medium' | 'high'
  readonly about: string
  /** A key of the state. */
  readonly at: string
}

/** The risk of a ticket according to its plan: that of its riskiest part. */
export interface TicketRisk {
  readonly class: RiskClass
  readonly reasons: readonly RiskReason[]
}

/** More files than a reviewer can overview. */
const MANY_FILES = 10

/**
 * Derives the risk of a ticket from the plan of a structurally valid state.
 *
 * High: security, schemas, contracts, consumers that break, irreversible data, a risky dependency. Medium: any new or
 * changed dependency, many files, a file that configures the repository. Low: files are planned, security is stated to
 * be unaffected, and none of the above. Otherwise unknown.
 */
export function ticketRisk(sound: Fields, isShaping: (path: string) => boolean): TicketRisk {
  // Published types must not refer to the schema's, which need TypeBox.
  const state = sound as SessionState
  const reasons = [
    ...surfaceRisks(state, isShaping),
    ...dependencyRisks(state),
    ...planRisks(state),
  ]
  if (reasons.some(({ risk }) => risk === 'high')) return { class: 'high', reasons }
  if (reasons.some(({ risk }) => risk === 'medium')) return { class: 'medium', reasons }
  const { FilesPlanned = [], SecuritySensitive } = state.TouchedSurface ?? {}
  if (FilesPlanned.length === 0 || SecuritySensitive !== false) return { class: 'unknown', reasons }
  const about = `${counted(FilesPlanned.length, 'file')} planned, none of it risky`
  return { class: 'low', reasons: [{ risk: 'low', about, at: 'TouchedSurface.FilesPlanned' }] }
}

function surfaceRisks(
  { TouchedSurface = {} }: SessionState,
  isShaping: (path: string) => boolean,
): RiskReason[] {
  const { FilesPlanned = [], ContractsPlanned = [], SchemaPlanned = [] } = TouchedSurface
  const shaping = FilesPlanned.filter(entry => isShaping(pathOf(entry) ?? ''))
  return [
    ...reason(
      TouchedSurface.SecuritySensitive === true,
      'high',
      'security is affected',
      'SecuritySensitive',
    ),
    ...reason(SchemaPlanned.length > 0, 'high', 'a schema changes', 'SchemaPlanned'),
    ...reason(ContractsPlanned.length > 0, 'high', 'a contract changes', 'ContractsPlanned'),
    ...reason(
      shaping.length > 0,
      'medium',
      'a file that configures the repository changes',
      'FilesPlanned',
    ),
    ...reason(
      FilesPlanned.length > MANY_FILES,
      'medium',
      `${FilesPlanned.length} files change`,
      'FilesPlanned',
    ),
  ].map(found => ({ ...found, at: `TouchedSurface.${found.at}` }))
}

function dependencyRisks({ DependencyChanges = {} }: SessionState): RiskReason[] {
  const { Added = [], Updated = [], Removed = [] } = DependencyChanges
  const risks = [...Added, ...Updated].map(({ risk }) => risk)
  const changed = [...Added, ...Updated, ...Removed].length > 0
  const risky = risks.includes('high')
  return [
    ...reason(risky, 'high', 'a dependency change has high risk', 'DependencyChanges'),
    ...reason(changed && !risky, 'medium', 'dependencies change', 'DependencyChanges'),
  ]
}

function planRisks({ RollbackStrategy = {}, CrossRepoImpact = {} }: SessionState): RiskReason[] {
  const { Risk, DataMigrationReversible } = RollbackStrategy
  const breaks = CrossRepoImpact.AffectedServices?.some(service => service.breakingChange === true)
  return [
    ...reason(
      DataMigrationReversible === false,
      'high',
      'the data migration is irreversible',
      'RollbackStrategy.DataMigrationReversible',
    ),
    ...reason(Risk === 'high', 'high', 'the rollback has high risk', 'RollbackStrategy.Risk'),
    ...reason(Risk === 'medium', 'medium', 'the rollback has medium risk', 'RollbackStrategy.Risk'),
    ...reason(breaks === true, 'high', 'a consumer breaks', 'CrossRepoImpact.AffectedServices'),
  ]
}

function reason(
  applies: boolean,
  risk: RiskReason['risk'],
  about: string,
  at: string,
): RiskReason[] {
  return applies ? [{ risk, about, at }] : []
}
