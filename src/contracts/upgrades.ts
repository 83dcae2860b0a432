import { findUpgrade, listed, type UpgradeStep } from '../contract/index.ts'

/**
 * Every migration between versions of a contract: the steps that the folders' `upgrade.ts` export, each folder a line.
 *
 * There is one version of every contract so far, so there is none. A test finds a folder that is not listed.
 */
export const upgrades: readonly UpgradeStep[] = []

/** In words, the migration that leads from one version of a contract to another; `undefined` where none does. */
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
