import { describe, expect, test } from 'vitest'
import { entryAt, reader, sha256, treeOf, treeOfSize } from '../../test/tree.ts'
import { auditTree } from './audit.ts'

describe('an audit', () => {
  const size = 70_000
  const tree = treeOfSize(size)

  test('recomputes the root and sees every entry in its place', async () => {
    const seen: number[] = []
    const found = await auditTree(sha256, size, tree.read, index => seen.push(index))
    expect(found).toEqual({ root: tree.root })
    expect(seen).toEqual(Array.from({ length: size }, (_, index) => index))
    for (const other of [0, 1, 255, 256, 257, 512, 65_536]) {
      const { read, root } = treeOfSize(other)
      expect(await auditTree(sha256, other, read)).toEqual({ root })
    }
  })

  test.each([
    ['tile/0/000', 'entry 0 differs from its hash in the tree'],
    ['tile/0/100', 'entry 25600 differs from its hash in the tree'],
    ['tile/0/273.p/112', 'entry 69888 differs from its hash in the tree'],
    ['tile/1/000', 'tile/1/000 does not match the tiles below it'],
    ['tile/1/001.p/17', 'tile/1/001.p/17 does not match the tiles below it'],
    ['tile/2/000.p/1', 'tile/2/000.p/1 does not match the tiles below it'],
    ['tile/entries/007', 'entry 1792 differs from its hash in the tree'],
  ])('finds a flipped bit in %s', async (path, fault) => {
    const file = tree.files.get(path)?.slice() ?? new Uint8Array(0)
    file[2] = (file[2] ?? 0) ^ 1
    const read = reader(new Map([...tree.files, [path, file]]))
    expect(await auditTree(sha256, size, read)).toMatchObject({ fault })
  })

  test.each([
    ['tile/entries/007', 'tile/entries/007 does not hold 256 entries'],
    ['tile/0/007', 'tile/0/007 does not hold 256 hashes'],
    ['tile/1/000', 'tile/1/000 does not match the tiles below it'],
  ])('finds that %s was cut', async (path, fault) => {
    const cut = tree.files.get(path)?.slice(0, -32) ?? new Uint8Array(0)
    const read = reader(new Map([...tree.files, [path, cut]]))
    expect(await auditTree(sha256, size, read)).toMatchObject({ fault })
  })

  test('finds two entries that changed places', async () => {
    const entries = Array.from({ length: 10 }, (_, at) => entryAt(at))
    const swapped = treeOf([...entries.slice(0, 3), entryAt(4), entryAt(3), ...entries.slice(5)])
    const { files } = treeOf(entries)
    const bundle = swapped.files.get('tile/entries/000.p/10') ?? new Uint8Array(0)
    const read = reader(new Map([...files, ['tile/entries/000.p/10', bundle]]))
    expect(await auditTree(sha256, 10, read)).toMatchObject({ index: 3 })
  })
})
