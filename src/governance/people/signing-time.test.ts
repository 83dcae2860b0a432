import { generateKeyPairSync } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestFolder } from '../../../test/test-folder.ts'
import { parseConfig } from '../../workspace/index.ts'
import { requirePerson } from './person.ts'
import { proveStatement } from './statement.ts'

test.each([
  ['until', /has expired/],
  ['revoked', /is revoked/],
])(
  'nobody signs at a given time with a key that counts no more by the clock: %s',
  async (member, why) => {
    const { root, write, remove } = openTestFolder()
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    write('ada.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    chmodSync(join(root, 'ada.pem'), 0o600)
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const since = new Date(Date.now() - 1000).toISOString()
    const config = await parseConfig(
      Buffer.from(
        `trust:\n  - person: ada\n    key: ${key}\n    from: 2026-01-01T00:00:00Z\n    ${member}: ${since}\n`,
      ),
    )
    const keyFile = join(root, 'ada.pem')
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
