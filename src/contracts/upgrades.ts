import { findUpgrade, listed, type UpgradeStep } from '../contract/index.ts'

/**
 * All migrations between versions of a contract, from the `upgrade.ts` of each contract folder.
 *
 * Empty: every contract has one version. A test fails for a folder that is not listed.
 */
export const upgrades: readonly UpgradeStep[] = []

/** Describes the migration between two versions of a contract; `undefined` if there is none. */
export function migrationBetween(
  contract: string,
  from: string,
  to: string,
  steps: readonly UpgradeStep[] = upgrades,
): string | undefined {
  const way = findUpgrade(steps, contract, from, to)
  return way && way.length > 0
    ? listed(
        way.map(step => `${step.from} → ${step.to}`),
        'then',
      )
    : undefined
}
