import { counted, type Fields } from '../../contract/index.ts'
import type { SessionState } from './schema.ts'
import { pathOf } from './working-set.ts'

/** How much can go wrong with a ticket. */
export type RiskClass = 'low' | 'medium' | 'high' | 'unknown'

/** One thing in a plan that bears on its risk, and where the state says so. */
export interface RiskReason {
  readonly risk: 'low' | 'medium' | 'high'
  readonly about: string
  /** A key of the state. */
  readonly at: string
}

/** The risk of a ticket as its plan shows it: that of its riskiest part. */
export interface TicketRisk {
  readonly class: RiskClass
  readonly reasons: readonly RiskReason[]
}

/** More files than this are more than one look takes in. */
const MANY_FILES = 10

/**
 * Derives the risk of a ticket from what a structurally sound state plans.
 *
 * High: security, schemas, contracts, consumers that break, data that cannot be taken back, a risky dependency.
 * Medium: any new or changed dependency, many files, a file that shapes the repository. Low: files are planned, it is said
 * that security is not touched, and none of the above. Otherwise it is not known.
 */
export function ticketRisk(sound: Fields, isShaping: (path: string) => boolean): TicketRisk {
  // Published types cannot name the schema's, which need TypeBox.
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
  const about = `${counted(FilesPlanned.length, 'file')} planned, nothing of it risky`
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
      'security is touched',
      'SecuritySensitive',
    ),
    ...reason(SchemaPlanned.length > 0, 'high', 'a schema changes', 'SchemaPlanned'),
    ...reason(ContractsPlanned.length > 0, 'high', 'a contract changes', 'ContractsPlanned'),
    ...reason(
      shaping.length > 0,
      'medium',
      'a file that shapes the repository changes',
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
    ...reason(risky, 'high', 'a dependency change is of high risk', 'DependencyChanges'),
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
      'migrated data cannot be taken back',
      'RollbackStrategy.DataMigrationReversible',
    ),
    ...reason(Risk === 'high', 'high', 'taking it back is of high risk', 'RollbackStrategy.Risk'),
    ...reason(
      Risk === 'medium',
      'medium',
      'taking it back is of medium risk',
      'RollbackStrategy.Risk',
    ),
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
