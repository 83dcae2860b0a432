import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestFolder } from '../../../test/test-folder.ts'
import { loadConfig } from '../../workspace/index.ts'
import { openGovernanceFiles } from './governance-files.ts'

test.each([
  ['loop/lock.json', 'its symbolic links form a loop'],
  [`${'l'.repeat(300)}.json`, 'the name is too long'],
  ['waybill.yaml/lock.json', 'does not exist'],
])('the reason why there can be no lock at %s is given in words', async (lock, why) => {
  const folder = openTestFolder()
  symlinkSync('loop', join(folder.root, 'loop'))
  folder.write('waybill.yaml', `agents:\n  lock: ${lock}\n`)
  const governanceFiles = await openGovernanceFiles(folder.root, await loadConfig(folder.root))()
  folder.remove()
  expect(governanceFiles.lock).toMatchObject({ missing: expect.stringContaining(why) })
})
