import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { entriesOf } from '../../test/log-entries.ts'
import keyRotate from './key-rotate.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'

let repository: GovernedRepository
beforeEach(async () => {
  repository = await openGovernedRepository()
  repository.write('draft.json', JSON.stringify(draftOf(PRODUCT, 'domain-02-analysis')))
  await send.run({ path: 'draft.json' }, repository.app())
})
afterEach(() => repository.remove())

const at = (path: string) => join(repository.root, path)
const rotate = (holder = PRODUCT) => keyRotate.run({ holder }, repository.app())
const state = () => ({
  config: readFileSync(at('waybill.yaml'), 'utf8'),
  keys: readdirSync(at('.waybill/keys')).sort(),
})

test.each([PRODUCT, 'gateway', 'log'])(
  'where the log is gone the key of %s is not rotated, and nothing is changed',
  async holder => {
    const before = state()
    renameSync(at('.waybill/ledger'), at('kept'))
    await expect(rotate(holder)).rejects.toMatchObject({ code: 'ledger-tampered' })
    expect(state()).toEqual(before)
    renameSync(at('kept'), at('.waybill/ledger'))
    await rotate(holder)
    expect((await entriesOf(repository)).at(-1)).toMatchObject({ kind: 'key-change' })
  },
)

test('what cannot be recorded is taken back, and the way is told', async () => {
  const before = state()
  // Files that are being written stand there, once somebody writes.
  const place = at('.waybill/ledger/.state/tmp')
  rmSync(place, { recursive: true, force: true })
  writeFileSync(place, '')
  await expect(rotate()).rejects.toMatchObject({ code: 'input-output' })
  expect(state()).toEqual(before)
  rmSync(place)
  await rotate()
  expect(state()).not.toEqual(before)
})
