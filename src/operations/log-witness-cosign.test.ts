import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openLedgerFolder, recordSmall } from '../../test/ledger-folder.ts'
import type { TestFolder } from '../../test/test-folder.ts'
import { verifyEd25519 } from '../../test/tree.ts'
import { waybill } from '../../test/waybill.ts'
import { openWitnessFolder, signingLog, trusting } from '../../test/witnesses.ts'
import { digestBytes, fileStorage, quarantineIn } from '../governance/index.ts'
import {
  cosignatureVerifier,
  formatNote,
  openNote,
  parseNote,
  parseVerifierKey,
} from '../ledger/index.ts'
import { loadConfig } from '../workspace/index.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'
import logWitness from './log-witness.ts'

const folders: TestFolder[] = []
afterAll(() => {
  for (const folder of folders) folder.remove()
})

const ORIGIN = 'example.com/log'
const log = signingLog(ORIGIN)
const FORK = { from: 2, word: 'other' }

function witnessOf(keys: readonly string[] = [log.key]): TestFolder {
  const folder = openWitnessFolder(keys)
  folders.push(folder)
  return folder
}

async function cosign(folder: Pick<TestFolder, 'app'>, body: string | Uint8Array, more = {}) {
  const stdin = async () => Buffer.from(body)
  const output = await logWitness.run({ cosign: '-', ...more }, folder.app({ stdin }))
  if (output.role !== 'witness') throw new Error('it asked as a log')
  return { ...output, code: output.fault?.code ?? null }
}

/** Whether a cosignature is one of a witness on the checkpoint of a request. */
async function isGood(body: string, line: string | null, key: string): Promise<boolean> {
  const note = parseNote(body.slice(body.indexOf('\n\n') + 2))
  const verifier = parseVerifierKey(digestBytes, key)
  if ('fault' in note || 'fault' in verifier) throw new Error('no note')
  const opened = await openNote(formatNote(note.text, []) + line, [
    cosignatureVerifier(verifier, verifyEd25519),
  ])
  return 'verified' in opened
}

test('the first checkpoint and what it grows to are cosigned, each on its own', async () => {
  const folder = witnessOf()
  for (const [old, size] of [
    [0, 3],
    [3, 3],
    [3, 300],
  ] as const) {
    const body = await log.request(old, size)
    const { answer, status, line, key, cosigned } = await cosign(folder, body)
    expect({ answer, status, cosigned }).toEqual({
      answer: 'cosigned',
      status: 200,
      cosigned: size,
    })
    expect(await isGood(body, line, key)).toBe(true)
    expect(await isGood(await log.request(0, 2), line, key)).toBe(false)
  }
})

test('the key is made once, for its owner alone, and named by a URN', async () => {
  const folder = witnessOf()
  const keys = []
  for (const old of [0, 3]) keys.push((await cosign(folder, await log.request(old, 3))).key)
  expect(keys[0]).toMatch(/^urn:waybill:witness:[0-9a-f-]{36}\+[0-9a-f]{8}\+B/)
  expect(keys[1]).toBe(keys[0])
  const place = join(folder.root, '.waybill/keys')
  for (const name of readdirSync(place))
    expect(statSync(join(place, name)).mode & 0o777).toBe(0o600)
})

test('a witness that has lost what it remembers says so, until it has cosigned again', async () => {
  const folder = witnessOf()
  const notices: string[] = []
  const ask = async (old: number, size: number) => {
    notices.length = 0
    const tell = (line: string) => notices.push(line)
    const stdin = async () => Buffer.from(await log.request(old, size))
    await logWitness.run({ cosign: '-' }, folder.app({ stdin, tell }))
    return notices.map(line => line.split(':')[0])
  }
  // Of a log that was never cosigned nothing can be lost; what was refused is not remembered.
  expect(await ask(2, 3)).toEqual([])
  expect(await ask(0, 4)).toEqual([])
  rmSync(join(folder.root, '.waybill/witness'), { recursive: true })
  expect(await ask(0, 3)).toEqual(['witness/memory-gone'])
  expect(await ask(3, 4)).toEqual([])
})

test('the process prints the cosignature and nothing else, and reads a file', async () => {
  const folder = witnessOf()
  const body = await log.request(0, 3)
  folder.write('request', body)
  const run = (path: string) =>
    waybill(['log', 'witness', '--cosign', path, '--root', folder.root], { cwd: folder.root })
  const { stdout, status, stderr } = await run('request')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^— urn:waybill:witness:\S+ \S+\n$/)
  folder.write('request', await log.request(3, 4, FORK))
  const refused = await run('request')
  expect(refused.status).toBe(1)
  expect(refused.stdout).toContain('error[witness/inconsistent]')
  expect(await run('nothing')).toMatchObject({ status: 2, stdout: '' })
})

describe('once three entries are cosigned, there is no cosignature on', () => {
  test.each<readonly [what: string, body: () => Promise<string>, status: number, code: string]>([
    ['nothing', async () => '', 400, 'request-malformed'],
    [
      'a checkpoint alone',
      async () => (await log.request(3, 4)).split('\n\n').slice(1).join('\n\n'),
      400,
      'request-malformed',
    ],
    ['an unknown log', () => signingLog('example.com/another').request(0, 3), 404, 'unknown-log'],
    ['another key', () => signingLog(ORIGIN, 2).request(3, 4), 403, 'bad-signature'],
    [
      'a changed size',
      async () => (await log.request(3, 4)).replace('\n4\n', '\n5\n'),
      403,
      'bad-signature',
    ],
    ['a proof from elsewhere', () => log.request(2, 4), 409, 'old-size'],
    [
      'no proof',
      async () => (await log.request(3, 5)).replace(/^(old 3\n)(?:.+\n)+\n/, '$1\n'),
      422,
      'inconsistent',
    ],
    ['an older state', () => log.request(2, 2), 409, 'rolled-back'],
    ['an older state that knows the newer one', () => log.request(3, 2), 400, 'rolled-back'],
    ['another log of this size', () => log.request(3, 3, FORK), 409, 'forked'],
    ['another log that has grown', () => log.request(3, 7, FORK), 422, 'inconsistent'],
  ])('%s', async (_, body, status, code) => {
    const folder = witnessOf()
    await cosign(folder, await log.request(0, 3))
    const before = kept(folder)
    const refused = await cosign(folder, await body())
    expect(refused).toMatchObject({ answer: 'refused', status, line: null, recorded: null })
    // Of a log that the request names and the witness knows, with any signature.
    expect(refused.cosigned).toBe(status === 404 || code === 'request-malformed' ? null : 3)
    expect(refused.code).toBe(`witness/${code}`)
    expect(kept(folder)).toEqual(before)
    expect(existsSync(join(folder.root, '.waybill/ledger'))).toBe(false)
    expect(await cosign(folder, await log.request(3, 4))).toMatchObject({ answer: 'cosigned' })
  })

  function kept({ root }: TestFolder): string[] {
    const place = join(root, '.waybill/witness')
    return readdirSync(place).map(name => readFileSync(join(place, name), 'utf8'))
  }
})

test('a key counts from when until when trust says, also if the policy names it', async () => {
  const folder = witnessOf()
  const ended = trusting([log.key]).replace(/(from: \S+)/, '$1\n    until: 2021-01-01T00:00:00Z')
  folder.write('waybill.yaml', ended)
  folder.write('policy.txt', `log ${log.key}\nquorum none\n`)
  const body = await log.request(0, 3)
  expect((await cosign(folder, body)).code).toBe('witness/bad-signature')
  expect((await cosign(folder, body, { policy: 'policy.txt' })).code).toBe('witness/bad-signature')
  folder.write('waybill.yaml', '')
  expect((await cosign(folder, body)).code).toBe('witness/unknown-log')
  expect((await cosign(folder, body, { policy: 'policy.txt' })).code).toBeNull()
})

test('what is kept and cannot be read is not taken for nothing', async () => {
  const folder = witnessOf()
  await cosign(folder, await log.request(0, 3))
  const place = join(folder.root, '.waybill/witness')
  const [name = ''] = readdirSync(place)
  for (const damage of [
    '',
    'x',
    readFileSync(join(place, name), 'utf8').replace(ORIGIN, 'other'),
  ]) {
    writeFileSync(join(place, name), damage)
    const again = cosign(folder, await log.request(0, 3, FORK))
    await expect(again).rejects.toMatchObject({ code: 'ledger-tampered' })
  }
})

test('a repository with a log records a fork as a security event, each one once', async () => {
  const own = await openLedgerFolder()
  folders.push(own)
  await own.withGateway(gateway => recordSmall(gateway, 0))
  const file = join(own.root, 'waybill.yaml')
  const config = readFileSync(file, 'utf8')
  writeFileSync(file, config.replace(/^trust:\n/m, trusting([log.key])))
  await cosign(own, await log.request(0, 3))
  const same = await log.request(3, 3, FORK)
  expect((await cosign(own, same)).recorded).toBe(1)
  expect((await cosign(own, same)).recorded).toBe(1)
  // A checkpoint of the log can be shown without a proof by all who have seen it: that says nothing of the log.
  const unproved = (await log.request(3, 4)).replace(/^(old 3\n)(?:.+\n)+\n/, '$1\n')
  for (const body of [unproved, unproved, await log.request(3, 4, FORK)])
    expect((await cosign(own, body)).recorded).toBe(body === unproved ? 2 : 3)
  // And it must not keep out the proof that comes later.
  expect((await cosign(own, await log.request(3, 4))).answer).toBe('cosigned')
  expect((await cosign(own, await log.request(4, 4, FORK))).recorded).toBe(4)
  const { entries = [] } = await logShow.run({ kind: 'security-event' }, own.app())
  const notes = entries.map(({ index, note }) => [index, String(note)] as const).sort()
  expect(notes.map(([index]) => index)).toEqual([1, 2, 3, 4])
  for (const [index, note] of notes)
    expect(note).toContain(
      [2, 3].includes(index)
        ? `witness/inconsistent: the log ${ORIGIN} is not proved to extend`
        : `witness/forked: the log ${ORIGIN} does not extend what was cosigned`,
    )
  const configured = await loadConfig(own.root)
  expect(await quarantineIn(own.root, configured, fileStorage(own.root))).toEqual({})
  expect(await logVerify.run({}, own.app())).toMatchObject({ verified: true, size: 5 })
  // Its own log it does not cosign: that would prove nothing.
  const { proof } = await import('./log-prove.ts').then(({ default: prove }) =>
    prove.run({ from: 0 }, own.app()),
  )
  expect((await cosign(own, proof)).code).toBe('witness/unknown-log')
})
