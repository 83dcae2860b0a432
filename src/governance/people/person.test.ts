import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openGovernedRepository } from '../../../test/governed-repository.ts'
import { loadConfig } from '../../workspace/index.ts'
import { requirePerson } from './person.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const LISTED = `  - person: ada
    key: ${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}
    from: 2026-01-01T00:00:00Z
`

test.each([
  ['a key', (config: string) => `${config.trimEnd()}\n${LISTED}`, true],
  ['a name', (config: string) => `people: claimed\n${config}`, false],
])(
  'what counts by a configuration that is not committed alone is refused: %s',
  async (_, change, signs) => {
    const repository = await openGovernedRepository()
    const at = (path: string) => join(repository.root, path)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(at('.waybill/ada.pem'), pem, { mode: 0o600 })
    repository.write('waybill.yaml', change(readFileSync(at('waybill.yaml'), 'utf8')))
    const state = async () => {
      const bytes = Buffer.from('what is stated')
      const keyFile = signs ? at('.waybill/ada.pem') : undefined
      const config = await loadConfig(repository.root)
      const given = { act: 'approve', by: 'ada', bytes, keyFile } as const
      return requirePerson({ root: repository.root, config }, given, Date.now())
    }
    await expect(state()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('does not as it was committed'),
      hint: expect.stringContaining('git diff waybill.yaml'),
    })
    repository.commit()
    expect(await state()).toMatchObject({ by: 'ada' })
    repository.remove()
  },
)
