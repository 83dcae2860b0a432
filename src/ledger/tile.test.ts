import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeBundle,
  encodeBundle,
  newTiles,
  parseTilePath,
  type Tile,
  tilePath,
  tilesOf,
} from './tile.ts'

test.each<[string, Tile]>([
  ['tile/0/000', { level: 0, index: 0, width: 256 }],
  ['tile/0/001.p/5', { level: 0, index: 1, width: 5 }],
  ['tile/5/x123/x456/078', { level: 5, index: 123456078, width: 256 }],
  ['tile/5/x123/x456/078.p/2', { level: 5, index: 123456078, width: 2 }],
  ['tile/0/x001/x234/067', { level: 0, index: 1234067, width: 256 }],
  ['tile/entries/x003/x057/500', { level: 'entries', index: 3057500, width: 256 }],
  ['tile/entries/000.p/255', { level: 'entries', index: 0, width: 255 }],
  ['tile/0/x035/x184/x372/x088/831', { level: 0, index: 35184372088831, width: 256 }],
  ['tile/63/000.p/1', { level: 63, index: 0, width: 1 }],
])('%s is written and read', (path, tile) => {
  expect(tilePath(tile)).toBe(path)
  expect(parseTilePath(path)).toEqual(tile)
})

test.each([
  ['an element without its x', 'tile/5/123/456/078'],
  ['an x on the last element', 'tile/0/x001'],
  ['a short element', 'tile/0/01'],
  ['an element of zeroes in front', 'tile/0/x000/001'],
  ['a negative level', 'tile/-1/000'],
  ['a level with a zero in front', 'tile/00/000'],
  ['a level above 63', 'tile/64/000'],
  ['Go’s name for entries', 'tile/data/000'],
  ['a width of nothing', 'tile/0/000.p/0'],
  ['the full width written out', 'tile/0/000.p/256'],
  ['a width with a zero in front', 'tile/0/000.p/05'],
  ['something behind', 'tile/0/000/'],
  ['a way out', 'tile/0/../000'],
  ['an index beyond 2^53', 'tile/0/x999/x999/x999/x999/x999/999'],
])('a path with %s is refused', (_, path) => {
  expect(parseTilePath(path)).toBeUndefined()
})

test('a log of 70,000 entries has the tiles that the specification names', () => {
  const tiles = [...tilesOf(70_000)]
  const at = (level: Tile['level']) => tiles.filter(t => t.level === level).map(t => t.width)
  expect(at(0)).toEqual([...Array(273).fill(256), 112])
  expect(at('entries')).toEqual(at(0))
  expect(at(1)).toEqual([256, 17])
  expect(at(2)).toEqual([1])
  expect(tiles).toHaveLength(274 + 274 + 2 + 1)
})

test('what a log writes as it grows is what it would have written at once', () => {
  const step = fc.integer({ min: 0, max: 700 })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), steps => {
      const written = new Set<string>()
      let size = 0
      for (const more of steps) {
        for (const tile of newTiles(size, size + more)) written.add(tilePath(tile))
        size += more
        for (const tile of tilesOf(size)) expect(written).toContain(tilePath(tile))
      }
    }),
  )
})

test('a log that has not grown writes nothing', () => {
  expect([...newTiles(300, 300)]).toEqual([])
  expect([...newTiles(255, 256)].map(tilePath)).toEqual([
    'tile/entries/000',
    'tile/0/000',
    'tile/1/000.p/1',
  ])
})

test('entries of any length are read back from a bundle', () => {
  const entry = fc.uint8Array({ maxLength: 600 })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), entries => {
      expect(decodeBundle(encodeBundle(entries))).toEqual(entries)
    }),
  )
  const longest = new Uint8Array(65_535).fill(1)
  expect(decodeBundle(encodeBundle([longest, longest]))).toEqual([longest, longest])
})

test('an entry that no bundle can hold is refused', () => {
  expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow('65536 bytes is too long')
})

test.each([
  ['ends within an entry', [0, 3, 1, 2]],
  ['ends within a length', [0, 1, 9, 0]],
  ['holds more than 256 entries', Array(514).fill(0)],
])('a bundle that %s is refused', (_, bytes) => {
  expect(decodeBundle(new Uint8Array(bytes))).toBeUndefined()
})
