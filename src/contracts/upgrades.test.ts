import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { UpgradeStep } from '../contract/index.ts'
import { migrationBetween, upgrades } from './upgrades.ts'

test('every upgrade.ts in a folder of a contract is listed', async () => {
  const files = globSync('*.v[0-9]*/upgrade.ts', { cwd: import.meta.dirname })
  for (const file of files) {
    const module: { upgrades: readonly UpgradeStep[] } = await import(
      join(import.meta.dirname, file)
    )
    expect(upgrades).toEqual(expect.arrayContaining([...module.upgrades]))
  }
  expect(upgrades.length === 0).toBe(files.length === 0)
})

test('a migration is named by its steps, and one that does not exist is not', () => {
  const step = (from: string, to: string): UpgradeStep => ({
    contract: 'parcel',
    from,
    to,
    summary: 'x',
    upgrade: value => ({ value }),
  })
  const steps = [step('1.0', '1.1'), step('1.1', '2.0')]
  expect(migrationBetween('parcel', '1.0', '2.0', steps)).toBe('1.0 → 1.1 then 1.1 → 2.0')
  expect(migrationBetween('parcel', '2.0', '1.0', steps)).toBeUndefined()
  expect(migrationBetween('parcel', '1.0', '1.0', steps)).toBeUndefined()
  expect(migrationBetween('session-context', '2.0', '1.0')).toBeUndefined()
})
