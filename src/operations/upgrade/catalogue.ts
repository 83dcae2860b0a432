import type { Contract, LoadedContract, UpgradeStep } from '../../contract/index.ts'

/** The available contracts and migrations. */
export interface UpgradeCatalogue {
  readonly contracts: readonly Contract[]
  readonly steps: readonly UpgradeStep[]
  load(contract: Contract): Promise<LoadedContract>
}
