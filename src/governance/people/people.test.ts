import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAgentsFolder } from '../../../test/agents-folder.ts'
import { type Config, parseConfig } from '../../workspace/index.ts'
import { readTrust } from '../trust/trust.ts'
import { type PersonGiven, requirePerson } from './person.ts'
import { readSshSignature } from './sshsig.ts'
import { type Proof, proveStatement, verifyStatement } from './statement.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-people-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW = Date.UTC(2026, 10, 21)
const BYTES = Buffer.from('{"act":"approve","by":"ada"}')
const hasSsh = !spawnSync('ssh-keygen', ['-?']).error
const WITHOUT = hasSsh ? '' : ' (skipped: ssh-keygen is not installed)'

const file = (name: string) => join(folder, name)

function ssh(input: Uint8Array | string, ...args: string[]) {
  return spawnSync('ssh-keygen', args, { input, encoding: 'latin1', cwd: folder })
}

function makeSshKey(name: string, type: string) {
  const { status, stderr } = ssh('', '-q', '-t', type, '-N', '', '-C', 'ada', '-f', file(name))
  if (status !== 0) throw new Error(stderr)
}

const listed = (name: string, key: string, rest = '') =>
  `  - person: ${name}\n    key: ${key}\n    from: 2026-01-01T00:00:00Z\n${rest}`
const publicLine = (name: string) => readFileSync(file(`${name}.pub`), 'utf8').trim()

const configOf = (...entries: string[]): Promise<Config> =>
  parseConfig(Buffer.from(`trust:\n${entries.join('')}`))
const trustOf = async (...entries: string[]) => readTrust(await configOf(...entries))

const blobOf = (signature: string) => Buffer.from(signature.replace(/-----.*-----/g, ''), 'base64')

function armoured(blob: Buffer): string {
  const lines = blob
    .toString('base64')
    .match(/.{1,70}/g)
    ?.join('\n')
  return `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`
}

function* flips(text: string): Generator<string> {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    yield changed.toString('latin1')
  }
}

describe.skipIf(!hasSsh)(`a statement signed with an SSH key${WITHOUT}`, () => {
  const TYPES = ['ed25519', 'ecdsa', 'rsa']
  beforeAll(() => {
    for (const type of TYPES) makeSshKey(type, type)
    makeSshKey('other', 'ed25519')
  })

  test.each(TYPES)('of type %s is proved, and ssh-keygen says the same', async type => {
    const trust = await trustOf(listed('ada', publicLine(type)))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file(type) })
    const { keyid } = trust.keys[0] ?? {}
    expect(proof).toMatchObject({ by: 'ada', method: 'sshsig', keyid })
    expect(verifyStatement(proof, BYTES, trust, NOW)).toEqual({ standing: 'proved', keyid })

    writeFileSync(file('sig'), proof.signature)
    writeFileSync(file('signers'), `ada namespaces="waybill" ${publicLine(type)}\n`)
    const args = ['-Y', 'verify', '-f', 'signers', '-I', 'ada', '-n', 'waybill', '-s', 'sig']
    expect(ssh(BYTES, ...args).status).toBe(0)
    expect(ssh('something else', ...args).status).not.toBe(0)
  })

  test.each(TYPES)('of type %s is refused with any byte of it changed', async type => {
    const trust = await trustOf(listed('ada', publicLine(type)))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file(type) })
    for (const signature of flips(proof.signature))
      expect(verifyStatement({ ...proof, signature }, BYTES, trust, NOW)).toHaveProperty('fault')
    for (const blob of flips(blobOf(proof.signature).toString('latin1'))) {
      const signature = armoured(Buffer.from(blob, 'latin1'))
      expect(verifyStatement({ ...proof, signature }, BYTES, trust, NOW)).toHaveProperty('fault')
    }
    for (const text of flips(BYTES.toString('latin1')))
      expect(verifyStatement(proof, Buffer.from(text, 'latin1'), trust, NOW)).toHaveProperty(
        'fault',
      )
  })

  test('of type rsa counts with SHA-256 too, and with SHA-1 not at all', async () => {
    const trust = await trustOf(listed('ada', publicLine('rsa')))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file('rsa') })
    const made = ssh(
      BYTES,
      '-q',
      '-Y',
      'sign',
      '-n',
      'waybill',
      '-O',
      'hashalg=sha256',
      '-f',
      'rsa',
    )
    expect(readSshSignature(made.stdout)).toMatchObject({ hash: 'sha256' })
    const verdict = verifyStatement({ ...proof, signature: made.stdout }, BYTES, trust, NOW)
    expect(verdict).toMatchObject({ standing: 'proved' })
    const blob = blobOf(proof.signature)
    const at = blob.indexOf('rsa-sha2-512')
    blob.write('ssh-rsa-xxxx', at)
    const signature = armoured(blob)
    expect(readSshSignature(signature)).toMatchObject({ format: 'ssh-rsa-xxxx' })
    expect(verifyStatement({ ...proof, signature }, BYTES, trust, NOW)).toHaveProperty('fault')
  })

  test('that was made for another purpose proves nothing', async () => {
    const trust = await trustOf(listed('ada', publicLine('ed25519')))
    const { stdout } = ssh(BYTES, '-q', '-Y', 'sign', '-n', 'git', '-f', 'ed25519')
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file('ed25519') })
    expect(verifyStatement({ ...proof, signature: stdout }, BYTES, trust, NOW)).toEqual({
      fault: 'the signature was made for another purpose',
    })
  })

  test('by another person proves nothing, whatever name it states', async () => {
    const trust = await trustOf(
      listed('ada', publicLine('ed25519')),
      listed('bob', publicLine('other')),
    )
    const bob = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file('other') })
    expect(verifyStatement(bob, BYTES, trust, NOW)).toEqual({
      fault: 'the key belongs to person bob, not to ada',
    })
    const keyid = trust.of('person', 'ada')[0]?.keyid ?? ''
    expect(verifyStatement({ ...bob, keyid }, BYTES, trust, NOW)).toEqual({
      fault: 'the signature was made with a different key than it names',
    })
  })

  test.each([
    ['that is not listed', 'other', '', /does not list the key/],
    ['that is revoked', 'ed25519', '    revoked: 2026-11-20T00:00:00Z\n', /is revoked/],
    ['that has expired', 'ed25519', '    until: 2026-11-20T00:00:00Z\n', /has expired/],
  ])('with a key %s proves nothing', async (_, keyFile, rest, fault) => {
    const trust = await trustOf(listed('ada', publicLine('ed25519'), rest))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file(keyFile) })
    const verdict = verifyStatement(proof, BYTES, trust, NOW)
    expect('fault' in verdict && verdict.fault).toMatch(fault)
  })

  test('counts as long as it was made before the key was revoked', async () => {
    const rest = '    revoked: 2026-11-21T12:00:00Z\n'
    const trust = await trustOf(listed('ada', publicLine('ed25519'), rest))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file('ed25519') })
    expect(verifyStatement(proof, BYTES, trust, NOW)).toMatchObject({ standing: 'proved' })
  })

  test('with a key file that others may read is refused by ssh-keygen, and we say why', () => {
    makeSshKey('loose', 'ed25519')
    chmodSync(file('loose'), 0o644)
    const proving = () => proveStatement({ by: 'ada', bytes: BYTES, keyFile: file('loose') })
    expect(proving).toThrow(expect.objectContaining({ hint: expect.stringMatching(/chmod 600/) }))
  })

  test('can be signed with an ecdsa key that is listed as SPKI, for it is the same key', async () => {
    const line = await trustOf(listed('ada', publicLine('ecdsa')))
    const der = Buffer.from(line.keys[0]?.publicKey.der ?? []).toString('base64')
    const trust = await trustOf(listed('ada', der))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: file('ecdsa') })
    expect(verifyStatement(proof, BYTES, trust, NOW)).toMatchObject({ standing: 'proved' })
  })
})

describe('a statement signed with a P-256 key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const pem = file('ada.pem')
  beforeAll(() => {
    writeFileSync(pem, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  })

  test('is proved, and refused with any byte of it changed', async () => {
    const trust = await trustOf(listed('ada', spki))
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: pem })
    const keyid = trust.keys[0]?.keyid
    expect(verifyStatement(proof, BYTES, trust, NOW)).toEqual({ standing: 'proved', keyid })
    for (const signature of flips(proof.signature))
      expect(verifyStatement({ ...proof, signature }, BYTES, trust, NOW)).toHaveProperty('fault')
    const bits = Buffer.from(proof.signature, 'base64').toString('latin1')
    for (const changed of flips(bits)) {
      const signature = Buffer.from(changed, 'latin1').toString('base64')
      expect(verifyStatement({ ...proof, signature }, BYTES, trust, NOW)).toHaveProperty('fault')
    }
  })

  test('of an agent is no statement of a person', async () => {
    const trust = await trustOf(
      `  - agent: ada\n    key: ${spki}\n    from: 2026-01-01T00:00:00Z\n`,
    )
    const proof = proveStatement({ by: 'ada', bytes: BYTES, keyFile: pem })
    expect(verifyStatement(proof, BYTES, trust, NOW)).toEqual({
      fault: 'the key belongs to agent ada, not to ada',
    })
  })

  const where = (config: Config) => ({ root: folder, config })
  const given = (rest: Partial<PersonGiven>): PersonGiven => ({
    act: 'approve',
    by: 'ada',
    bytes: BYTES,
    ...rest,
  })

  test.each(['approve', 'reject', 'reconcile', 'erase'] as const)(
    'to %s a name is not enough, unless the configuration says so',
    async act => {
      const config = await configOf(listed('ada', spki))
      await expect(requirePerson(where(config), given({ act }), NOW)).rejects.toMatchObject({
        code: 'usage',
      })
      const taking = where({ ...config, people: 'claimed' })
      const claimed = await requirePerson(taking, given({ act }), NOW)
      expect(claimed).toEqual({ standing: 'claimed', by: 'ada' })
      const signed = given({ act, keyFile: pem })
      expect(await requirePerson(where(config), signed, NOW)).toMatchObject({
        standing: 'proved',
        by: 'ada',
        proof: { method: 'ecdsa-p256' },
      })
    },
  )

  test('to resume a name is enough', async () => {
    const config = await configOf(listed('ada', spki))
    const taken = await requirePerson(where(config), given({ act: 'resume' }), NOW)
    expect(taken.standing).toBe('claimed')
  })

  const of = "names the agent 'domain-05-product'"
  test.each([
    ['domain-02-analysis', 'is an agent'],
    ['Domain-02-Analysis', 'is an agent'],
    ['domain-05-product', 'is an agent'],
    ['ada <domain-05-product>', of],
    ['Domain-05-Product (Ines)', of],
    ['domain-05-products, or domain-05-product', of],
  ])('%j is an agent, whose mere name is none of a person', async (by, why) => {
    const agent = `  - agent: domain-02-analysis\n    key: ${spki}\n    from: 2026-01-01T00:00:00Z\n`
    const here = where({ ...(await configOf(agent)), unsigned: ['domain-05-product'] })
    const name = (by: string) => requirePerson(here, given({ act: 'resume', by }), NOW)
    await expect(name(by)).rejects.toThrow(`${why}, not a person`)
    expect(await name('my-domain-05-products')).toMatchObject({ standing: 'claimed' })
  })

  test('so is that of an agent that only the manifest lists', async () => {
    const { root, write, remove } = openAgentsFolder()
    write('agents/other.json', '{}')
    const claimed = (manifest: string, by: string) =>
      requirePerson(
        { root, config: { people: 'claimed', agents: { manifest } } },
        given({ by }),
        NOW,
      )
    const manifest = 'agents/prompt-manifest.json'
    await expect(claimed(manifest, 'Orchestrator-Desk')).rejects.toThrow(/is an agent/)
    expect((await claimed(manifest, 'ada')).standing).toBe('claimed')
    // A person may act although the manifest does not exist, or is none.
    for (const none of ['agents/none.json', 'agents/other.json'])
      expect((await claimed(none, 'orchestrator-desk')).standing).toBe('claimed')
    remove()
  })

  test('a proof that is wrong is never taken for a name', async () => {
    const config = { ...(await configOf(listed('ada', spki))), people: 'claimed' as const }
    const proof: Proof = proveStatement({ by: 'ada', bytes: Buffer.from('x'), keyFile: pem })
    await expect(requirePerson(where(config), given({ proof }), NOW)).rejects.toThrow(
      /cannot verify that ada/,
    )
    const other = given({ by: 'bob', keyFile: pem })
    await expect(requirePerson(where(config), other, NOW)).rejects.toThrow(/not to bob/)
  })

  test.each(['', ' ', ' ada', 'ada\t', 'a\u0000b', 'ad\u200Ba', 'a\u202Eb'])(
    '%j is no name',
    async by => {
      const config = await configOf(listed('ada', spki))
      await expect(requirePerson(where(config), given({ act: 'resume', by }), NOW)).rejects.toThrow(
        /not a person's name/,
      )
    },
  )
})
