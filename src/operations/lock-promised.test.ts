import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Installation, openInstallation } from '../../test/machines.ts'
import doctor from './doctor.ts'
import lock from './lock.ts'
import reconcile from './lock-reconcile.ts'
import verify from './lock-verify.ts'
import { openLedger } from './log/open.ts'

const PRODUCT = 'domain-05-product'
const PROMPT = `prompts/${PRODUCT}.md`
const accuser = join(import.meta.dirname, '../../test/killed-accuser.ts')

describe.each([
  ['files', ''],
  ['PostgreSQL', 'ledger: postgres\n'],
])(
  'a quarantine in a log in %s whose writer was killed before a checkpoint covered it',
  (_, config) => {
    let installation: Installation
    const app = () => installation.first.app()
    const published = async () => (await openLedger(app())).size
    beforeAll(async () => {
      installation = await openInstallation(`${config}people: claimed\n`)
      const { first, database } = installation
      const { signal, stderr } = spawnSync(
        process.execPath,
        [accuser, first.root, PRODUCT, database.url],
        { encoding: 'utf8' },
      )
      expect({ signal, stderr }).toMatchObject({ signal: 'SIGKILL' })
      first.write(PROMPT, 'You are another agent.\n')
    })
    afterAll(() => installation?.remove())

    test('holds for lock, which writes nothing', async () => {
      expect(await published()).toBe(0)
      const before = installation.first.read('prompt-lock.json')
      for (const given of [{}, { check: true }, { dryRun: true }])
        expect(await lock.run(given, app())).toMatchObject({
          outcome: 'refused',
          refused: [{ code: 'lock/quarantined', agent: PRODUCT }],
          quarantined: [{ id: PRODUCT, reason: 'other bytes' }],
        })
      expect(installation.first.read('prompt-lock.json')).toBe(before)
      expect(await published()).toBe(0)
    })

    test('is reported by lock verify and by doctor', async () => {
      expect(await verify.run({}, app())).toMatchObject({
        accepted: false,
        quarantined: [{ id: PRODUCT }],
      })
      const { items } = await doctor.run({}, app())
      expect(items.find(({ name }) => name === 'quarantine')?.message).toContain(PRODUCT)
    })

    test('ends as any other does', async () => {
      await reconcile.run({ agent: PRODUCT, by: 'ada', why: 'meant' }, app())
      expect(await published()).toBe(2)
      expect(await lock.run({}, app())).toMatchObject({ outcome: 'unchanged', quarantined: [] })
    })
  },
)
