import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consistencyProof,
  ED25519,
  formatCheckpoint,
  formatInclusionFile,
  formatVerifierKey,
  formatWitnessRequest,
  inclusionProof,
  noteSigner,
  signNote,
  verifierKey,
} from '../../src/ledger/index.ts'
import { openTestFolder } from '../test-folder.ts'
import { pairOf, sha256, type Tree, treeOfSize } from '../tree.ts'
import { buildGoChecker, hasGo, NEEDS_GO } from './go.ts'

const ORIGIN = 'example.com/interop'
const pair = pairOf(42)
const key = verifierKey(sha256, ORIGIN, ED25519, pair.publicKey)
const KEY = formatVerifierKey(key)
const OTHER = formatVerifierKey(verifierKey(sha256, ORIGIN, ED25519, pairOf(43).publicKey))

const checkpointOf = ({ size, root }: Pick<Tree, 'size' | 'root'>) =>
  signNote(formatCheckpoint({ origin: ORIGIN, size, root }), [noteSigner(key, pair.sign)])

/** The proof files for some entries and prefixes of a tree, by name. */
async function proofsOf(tree: Tree): Promise<Map<string, string>> {
  const { size, read } = tree
  const checkpoint = checkpointOf(tree)
  const files = new Map<string, string>()
  for (const index of new Set([0, Math.floor(size / 2), size - 1])) {
    const proof = await inclusionProof(sha256, size, index, read)
    files.set(`${index}.tlog-proof`, formatInclusionFile({ index, proof, checkpoint }))
    const old = index + 1
    const grown = await consistencyProof(sha256, old, size, read)
    files.set(`${old}.add-checkpoint`, formatWitnessRequest({ old, proof: grown, checkpoint }))
  }
  return files
}

describe.skipIf(!hasGo)(`Go’s own checksum database compared with the ledger${NEEDS_GO}`, () => {
  const folder = openTestFolder()
  let check: ReturnType<typeof buildGoChecker>
  beforeAll(() => {
    check = buildGoChecker(folder.root)
  })
  afterAll(folder.remove)

  /** Puts a log and its proof files on disk, as any web server could serve them. */
  async function written(name: string, tree: Tree): Promise<{ log: string; proofs: string[] }> {
    for (const [path, bytes] of tree.files) folder.write(`${name}/${path}`, bytes)
    folder.write(`${name}/checkpoint`, checkpointOf(tree))
    const proofs = await proofsOf(tree)
    for (const [path, text] of proofs) folder.write(`${name}-proofs/${path}`, text)
    return {
      log: join(folder.root, name),
      proofs: [...proofs.keys()].map(path => join(folder.root, `${name}-proofs`, path)),
    }
  }

  test.each([1, 2, 255, 256, 257, 70_000])(
    'verifies a log of %d entries, and our proofs',
    async size => {
      const { log, proofs } = await written(`log-${size}`, treeOfSize(size))
      expect(check(log, KEY, ...proofs)).toEqual({
        status: 0,
        output: `verified ${size} entries and ${proofs.length} proof files\n`,
      })
    },
  )

  describe('refuses', () => {
    const tree = treeOfSize(70_000)
    let log: string
    let proofs: string[]
    beforeAll(async () => {
      ;({ log, proofs } = await written('tampered', tree))
    })

    /** Runs the checker while one file is another, and puts the file back. */
    function checkedWith(path: string, change: (bytes: Uint8Array) => Uint8Array | string) {
      const before = new Uint8Array(readFileSync(path))
      writeFileSync(path, change(new Uint8Array(before)))
      const result = check(log, KEY, ...proofs)
      writeFileSync(path, before)
      return result
    }
    const flipped = (bytes: Uint8Array) => bytes.with(40, (bytes[40] ?? 0) ^ 1)

    test.each([
      ['a partial tile of leaves', 'tile/0/273.p/112'],
      ['a full tile of leaves', 'tile/0/100'],
      ['a tile of level 1', 'tile/1/000'],
      ['a partial tile of level 1', 'tile/1/001.p/17'],
      ['the tile of level 2', 'tile/2/000.p/1'],
      ['a bundle of entries', 'tile/entries/007'],
      ['the last bundle of entries', 'tile/entries/273.p/112'],
    ])('a flipped bit in %s', (_, path) => {
      const at = path.endsWith('.p/1') ? (b: Uint8Array) => b.with(3, (b[3] ?? 0) ^ 1) : flipped
      expect(checkedWith(join(log, path), at).status).toBe(1)
    })

    test.each([
      ['a truncated tile', 'tile/1/000', (b: Uint8Array) => b.subarray(32)],
      ['a truncated bundle', 'tile/entries/000', (b: Uint8Array) => b.subarray(0, -1)],
      ['a checkpoint of another size', 'checkpoint', () => checkpointOf({ ...tree, size: 69_999 })],
      [
        'a checkpoint with another root',
        'checkpoint',
        () => checkpointOf({ ...tree, root: new Uint8Array(32) }),
      ],
      [
        'a changed checkpoint',
        'checkpoint',
        (b: Uint8Array) => new TextDecoder().decode(b).replace('70000', '70001'),
      ],
    ])('%s', (_, path, change) => {
      expect(checkedWith(join(log, path), change).status).toBe(1)
    })

    test('each of our proofs with one bit flipped', () => {
      expect(proofs).toHaveLength(6)
      for (const file of proofs.filter(path => !path.endsWith('70000.add-checkpoint'))) {
        const { status, output } = checkedWith(file, bytes => {
          const lines = new TextDecoder().decode(bytes).split('\n')
          const at = lines[0]?.startsWith('old') ? 1 : 2
          const line = lines[at] ?? ''
          return lines
            .with(at, line.startsWith('A') ? `B${line.slice(1)}` : `A${line.slice(1)}`)
            .join('\n')
        })
        expect({ file, status, output }).toMatchObject({
          status: 1,
          output: expect.stringContaining('invalid'),
        })
      }
    })

    test('everything under another key', () => {
      expect(check(log, OTHER).status).toBe(1)
    })

    test('nothing once all is as it was', () => {
      expect(check(log, KEY, ...proofs).status).toBe(0)
    })
  })
})
