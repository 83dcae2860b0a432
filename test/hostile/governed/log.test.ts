import { cpSync, globSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { KeyListOutput } from '../../../src/operations/key-list/output.ts'
import type { LogVerifyOutput } from '../../../src/operations/log-verify/output.ts'
import type { LogWitnessOutput } from '../../../src/operations/log-witness/output.ts'
import { draftOf, openGovernedRepository } from '../../governed-repository.ts'
import { ANALYSIS, handoffOf, PRODUCT } from './forge.ts'
import { expectVerified, prepare, type Stand } from './stand.ts'

// A log that was changed, taken back or forked, as the program itself finds it: log verify, and a witness.

const prepared = await prepare()
const LEDGER = '.waybill/ledger'
const SIZE = 4
/** A repository that has answered four handoffs. */
const recorded = prepared.stand()
beforeAll(() => answer(recorded, SIZE))

async function answer(where: Stand, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const document = handoffOf()
    const { answer: given } = await where.receive({ document, envelope: prepared.seal(document) })
    expect(given.answer).toBe('accepted')
  }
}

const at = (where: Stand, file: string) => join(where.root, LEDGER, file)

/** Puts the log of one repository in the place of that of another. */
function replaceLog(where: Stand, by: string): void {
  rmSync(join(where.root, LEDGER), { recursive: true })
  cpSync(by, join(where.root, LEDGER), { recursive: true })
}

/** Changes the lines of the contents. */
function changeContents(where: Stand, change: (lines: string[]) => string[]): void {
  const file = at(where, 'content/000')
  writeFileSync(file, change(readFileSync(file, 'utf8').split('\n')).join('\n'))
}

/** Flips one bit of the third byte; the sweep over all bytes is a test of the operation, and asks one program for all. */
function flip(file: string): void {
  const bytes = readFileSync(file)
  bytes[2] = (bytes[2] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

/** Swaps the first two entries in the tree of leaves, and their contents. */
function swapEntries(where: Stand): void {
  const file = at(where, `tile/entries/000.p/${SIZE}`)
  const bundle = readFileSync(file)
  const first = 2 + bundle.readUInt16BE(0)
  const second = first + 2 + bundle.readUInt16BE(first)
  const [one, other] = [bundle.subarray(0, first), bundle.subarray(first, second)]
  writeFileSync(file, Buffer.concat([other, one, bundle.subarray(second)]))
  changeContents(where, ([a = '', b = '', ...rest]) => [b, a, ...rest])
}

/** What is found by the program; it says so with its exit code too. */
async function found(where: Stand, ...args: readonly string[]): Promise<readonly string[]> {
  const run = await where.run('log', 'verify', '--format', 'json', ...args)
  const { faults, verified }: LogVerifyOutput = JSON.parse(run.stdout)
  expect({ status: run.status, verified }).toEqual({ status: 1, verified: false })
  const errors = faults.filter(({ severity }) => severity === 'error')
  return [...new Set(errors.map(({ code }) => code))]
}

describe('log verify', () => {
  test.each<[string, (where: Stand) => unknown, string]>([
    ['a flipped bit in a checkpoint', w => flip(at(w, 'checkpoint')), 'ledger/wrong-origin'],
    ['a flipped bit in a hash', w => flip(at(w, `tile/0/000.p/${SIZE}`)), 'ledger/tile-differs'],
    [
      'a flipped bit in a leaf',
      w => flip(at(w, `tile/entries/000.p/${SIZE}`)),
      'ledger/leaf-malformed',
    ],
    ['a flipped bit in a content', w => flip(at(w, 'content/000')), 'ledger/content-malformed'],
    [
      'a flipped bit in the index',
      w => globSync(at(w, '.state/keys/*')).forEach(flip),
      'ledger/index-',
    ],
    [
      'a tile that was cut short',
      w => truncateSync(at(w, `tile/0/000.p/${SIZE}`), 32),
      'ledger/tile-damaged',
    ],
    [
      'two contents that were swapped',
      w => changeContents(w, ([a = '', b = '', ...rest]) => [b, a, ...rest]),
      'ledger/content-differs',
    ],
    ['two entries that were swapped', swapEntries, 'ledger/entry-not-in-tree'],
  ])('finds %s', async (_, attack, code) => {
    const copy = recorded.copy()
    attack(copy)
    expect(await found(copy)).toContainEqual(expect.stringContaining(code))
    copy.remove()
  })

  test('finds a checkpoint that was rolled back, and an old copy of the whole log', async () => {
    const copy = recorded.copy()
    const before = readFileSync(at(copy, 'checkpoint'))
    await answer(copy, 1)
    writeFileSync(at(copy, 'checkpoint'), before)
    expect(await found(copy)).toEqual(['ledger/rolled-back'])
    replaceLog(copy, join(recorded.root, LEDGER))
    expect(await found(copy)).toEqual(['ledger/rolled-back'])
    copy.remove()
  })

  test('finds a fork that the key of the log itself has signed', async () => {
    const [one, other] = [recorded.copy(), recorded.copy()]
    for (const each of [one, other]) await answer(each, 1)
    replaceLog(one, join(other.root, LEDGER))
    expect(await found(one)).toEqual(['ledger/forked'])
    for (const each of [one, other]) each.remove()
  })

  test('refuses a log by a key that was revoked', async () => {
    const copy = recorded.copy()
    const { keys }: KeyListOutput = JSON.parse(
      (await copy.run('key', 'list', '--format', 'json')).stdout,
    )
    const id = keys.find(({ holder, held }) => holder.kind === 'log' && held)?.keyid ?? ''
    cpSync(join(copy.root, LEDGER), join(copy.root, 'before'), { recursive: true })
    await copy.run('key', 'rotate', 'log')
    await answer(copy, 1)
    expect(await copy.run('key', 'revoke', id, '--why', 'lost')).toMatchObject({ status: 0 })
    await expectVerified(copy)
    expect(await found(copy, '--ledger', 'before')).toEqual(['ledger/checkpoint-key-revoked'])
    copy.remove()
  })

  test('refuses a whole log by keys that are not listed here', async () => {
    const [copy, other] = [recorded.copy(), await openGovernedRepository()]
    other.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
    const sent = await copy.runIn(other.root, 'send', 'draft.json')
    expect(sent).toMatchObject({ status: 0 })
    const theirs = join(other.root, LEDGER)
    expect(await found(copy, '--ledger', theirs)).toEqual(['ledger/checkpoint-untrusted'])
    replaceLog(copy, theirs)
    expect(await found(copy)).toEqual(['ledger/wrong-origin'])
    for (const each of [copy, other]) each.remove()
  })
})

/** The verifier keys of the log. */
async function keysOf(where: Stand): Promise<readonly string[]> {
  const { stdout } = await where.run('log', 'checkpoint', '--format', 'json')
  return JSON.parse(stdout).keys
}

describe('a witness', () => {
  /** What a log sends to a witness that has cosigned it at a size. */
  async function requestOf(where: Stand, from: number): Promise<string> {
    const { stdout } = await where.run('log', 'prove', '--from', String(from), '--format', 'json')
    return JSON.parse(stdout).proof
  }

  /** A witness of the log; it has a folder and a memory of its own. */
  async function openWitness(): Promise<
    (body: string) => Promise<readonly [number | null, string]>
  > {
    const [key = ''] = await keysOf(recorded)
    const witness = prepared.stand()
    const [origin] = key.split('+')
    const listed = `trust:\n  - log: ${origin}\n    key: ${key}\n    from: 2020-01-01T00:00:00Z\n`
    witness.write('witness/waybill.yaml', listed)
    return async body => {
      witness.write('request', body)
      const line = [
        'log',
        'witness',
        '--cosign',
        'request',
        '--root',
        'witness',
        '--format',
        'json',
      ]
      const { status, stdout } = await witness.run(...line)
      const output: LogWitnessOutput = JSON.parse(stdout)
      if (output.role !== 'witness') throw new Error('it asked as a log')
      return [status, output.fault?.code ?? output.answer]
    }
  }

  test('cosigns what the log grows to, and no fork, older state or changed checkpoint of it', async () => {
    const cosign = await openWitness()
    const first = await requestOf(recorded, 0)
    expect(await cosign(first)).toEqual([0, 'cosigned'])
    const [one, other] = [recorded.copy(), recorded.copy()]
    for (const each of [one, other]) await answer(each, 1)
    expect(await cosign(await requestOf(one, SIZE))).toEqual([0, 'cosigned'])
    expect(await cosign(await requestOf(other, SIZE + 1))).toEqual([1, 'witness/forked'])
    await answer(other, 1)
    expect(await cosign(await requestOf(other, SIZE + 1))).toEqual([1, 'witness/inconsistent'])
    expect(await cosign(await requestOf(recorded, SIZE))).toEqual([1, 'witness/rolled-back'])
    const changed = (await requestOf(one, SIZE + 1)).replace(`\n${SIZE + 1}\n`, `\n${SIZE + 2}\n`)
    expect(await cosign(changed)).toEqual([1, 'witness/bad-signature'])
    for (const each of [one, other]) each.remove()
  })
})

test('the log that was attacked in copies is as it was', () => expectVerified(recorded))
