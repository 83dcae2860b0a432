import { describe, expect, test } from 'vitest'
import { entryAt, pairOf, sha256, treeOfSize, verifyEd25519 } from '../../test/tree.ts'
import { formatCheckpoint, openCheckpoint } from './checkpoint.ts'
import { leafHash } from './hash.ts'
import { formatInclusionFile, parseInclusionFile, verifyInclusionFile } from './inclusion-file.ts'
import { signNote } from './note.ts'
import { ED25519, noteSigner, noteVerifier, verifierKey } from './note-key.ts'
import { inclusionProof } from './proofs.ts'

/** The example of the specification: signatures are left out there, so it can be read but not opened. Its extra data, which is no base64 there, ends here where the name does. */
const EXAMPLE = `c2sp.org/tlog-proof@v1
extra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=
EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=
RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=
AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— example.com/fancylog hI2DJw[...]1roloI=
`

test('the example of the specification is read and written', () => {
  const file = parseInclusionFile(EXAMPLE)
  if ('fault' in file) throw new Error(file.fault)
  expect(file).toMatchObject({ index: 73894, proof: { length: 5 } })
  expect(new TextDecoder().decode(file.extra)).toBe('age-v1.2.1-darwin-arm64.tar.gz')
  expect(formatInclusionFile(file)).toBe(EXAMPLE)
})

describe('a proof file', async () => {
  const origin = 'example.com/log'
  const pair = pairOf(3)
  const key = verifierKey(sha256, origin, ED25519, pair.publicKey)
  const tree = treeOfSize(300)
  const checkpoint = signNote(formatCheckpoint({ origin, size: 300, root: tree.root }), [
    noteSigner(key, pair.sign),
  ])
  const proof = await inclusionProof(sha256, 300, 257, tree.read)
  const file = formatInclusionFile({ index: 257, proof, checkpoint })
  const leaf = leafHash(sha256, entryAt(257))
  const open = (note: string) => openCheckpoint(note, origin, [noteVerifier(key, verifyEd25519)])
  const [first = '', second = ''] = file.split('\n').slice(2, 4)

  test('is checked with the key of the log alone', async () => {
    expect(await verifyInclusionFile(sha256, file, leaf, open)).toMatchObject({
      index: 257,
      checkpoint: { origin, size: 300 },
    })
  })

  test('carries whatever is added, which proves nothing', async () => {
    const extra = new Uint8Array([1, 2, 3])
    const more = formatInclusionFile({ index: 257, proof, checkpoint, extra })
    expect(parseInclusionFile(more)).toMatchObject({ extra })
    expect(await verifyInclusionFile(sha256, more, leaf, open)).toMatchObject({ index: 257 })
    const empty = formatInclusionFile({ index: 257, proof, checkpoint, extra: new Uint8Array(0) })
    expect(empty).toContain('\nextra \nindex')
    expect(parseInclusionFile(empty)).toMatchObject({ extra: new Uint8Array(0) })
  })

  test.each([
    ['another index', file.replace('index 257', 'index 256')],
    ['a changed hash', file.replace(first, second)],
    ['a hash left out', file.replace(`${first}\n`, '')],
    ['a hash twice', file.replace(first, `${first}\n${first}`)],
    ['another size', file.replace('\n300\n', '\n301\n')],
    ['another origin', file.replace(`\n${origin}\n`, '\nexample.com/lot\n')],
    ['another header', file.replace('@v1', '@v2')],
    ['extra data that is no base64', file.replace('index', 'extra ?\nindex')],
    ['extra data behind the index', file.replace('index 257\n', 'index 257\nextra AAAA\n')],
    ['an index with a zero in front', file.replace('index 257', 'index 0257')],
    ['no index', file.replace('index 257\n', '')],
    ['more hashes than a tree can need', file.replace(first, `${first}\n`.repeat(64).trimEnd())],
    ['no checkpoint', file.slice(0, file.indexOf('\n\n') + 1)],
    ['carriage returns', file.replaceAll('\n', '\r\n')],
    ['nothing', ''],
  ])('with %s is refused', async (_, changed) => {
    expect(changed).not.toBe(file)
    expect(await verifyInclusionFile(sha256, changed, leaf, open)).toHaveProperty('fault')
  })

  test('of another entry is refused', async () => {
    const other = leafHash(sha256, entryAt(256))
    expect(await verifyInclusionFile(sha256, file, other, open)).toEqual({
      fault: 'the proof does not prove this entry at 257 in the log of 300',
    })
  })
})
