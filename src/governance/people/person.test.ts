import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAgentsFolder } from '../../../test/agents-folder.ts'
import { openGovernedRepository } from '../../../test/governed-repository.ts'
import { openTestFolder } from '../../../test/test-folder.ts'
import { loadConfig, parseConfig } from '../../workspace/index.ts'
import { requirePerson } from './person.ts'
import { proveStatement } from './statement.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const LISTED = `  - person: ada
    key: ${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}
    from: 2026-01-01T00:00:00Z
`

test.each([
  ['until', /has expired/],
  ['revoked', /is revoked/],
])(
  'no person signs at a given time with a key that counts no more by the clock: %s',
  async (member, why) => {
    const { root, remove } = openTestFolder()
    const keyFile = join(root, 'ada.pem')
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    const since = new Date(Date.now() - 1000).toISOString()
    const config = await parseConfig(Buffer.from(`trust:\n${LISTED}    ${member}: ${since}\n`))
    const says = { act: 'approve', by: 'ada', bytes: Buffer.from('it is right') } as const
    const at = Date.now() - 60_000
    const sign = (given: object) => requirePerson({ root, config }, { ...says, ...given }, at)
    await expect(sign({ keyFile })).rejects.toThrow(why)
    // What was signed while it counted stays signed.
    const proof = proveStatement({ ...says, keyFile })
    expect(await sign({ proof })).toMatchObject({ standing: 'proved' })
    remove()
  },
)

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
      message: expect.stringContaining('not under the committed one'),
      hint: expect.stringContaining('git diff waybill.yaml'),
    })
    repository.commit()
    expect(await state()).toMatchObject({ by: 'ada' })
    repository.remove()
  },
)

test('what the manifest calls an agent is no name of a person, and may be a word of one', async () => {
  const { root, writeManifest, remove } = openAgentsFolder()
  writeManifest(({ orchestrators }) => {
    const desk = orchestrators['orchestrator-desk']
    orchestrators['orchestrator-desk'] = { ...desk, name: 'Front Desk' }
  })
  const config = { people: 'claimed', agents: { manifest: 'agents/prompt-manifest.json' } } as const
  const says = { act: 'approve', bytes: Buffer.from('it is right') } as const
  const claim = (by: string) => requirePerson({ root, config }, { ...says, by }, Date.now())
  await expect(claim('front desk')).rejects.toThrow("'front desk' is an agent")
  expect((await claim('Ines of the Front Desk')).standing).toBe('claimed')
  remove()
})
