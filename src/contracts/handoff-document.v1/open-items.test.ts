import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { readDocuments } from '../../document/index.ts'
import { openItems } from './open-items.ts'

async function itemsOf(loops: string, steps = ''): Promise<string[]> {
  const text = `## Pending Work / Open Loops\n\n${loops}\n\n## Immediate Next Steps\n\n${steps}\n`
  const [document] = (await readDocuments(text, 'markdown')).documents
  if (!document) throw new Error('no document')
  return openItems(document).map(item => `${item.done ? 'x ' : ''}${item.text}`)
}

test.each<[string, string, string[]]>([
  ['items of a list', '- a\n- b', ['a', 'b']],
  ['items with other marks', '* a\n\n+ b\n\n1) c', ['a', 'b', 'c']],
  [
    'lines that belong to an item',
    '- a\n  more\n\n  a second paragraph\n- b',
    ['a\nmore\n\na second paragraph', 'b'],
  ],
  ['a line that lazily carries an item on', '- a\nand more', ['a\nand more']],
  ['items within items as part of them', '- a\n  - b\n  - c\n- d', ['a\n- b\n- c', 'd']],
  [
    'a fence within an item',
    '- a\n  ```sh\n  x\n\n  - y\n  ```\n- b',
    ['a\n```sh\nx\n\n- y\n```', 'b'],
  ],
  [
    'open items below a ticked one, each by itself',
    '1. [x] a\n   - [ ] b\n     - [ ] c\n   - [x] d\n     1. [ ] e\n   - detail\n   ```\n   - [ ] f\n   ```\n2. [ ] g',
    [
      'x a\n- [ ] b\n  - [ ] c\n- [x] d\n  1. [ ] e\n- detail\n```\n- [ ] f\n```',
      'b\n- [ ] c',
      'e',
      'g',
    ],
  ],
  ['ticked items, as done', '- [x] a\n- [X] b\n- [ ] c', ['x a', 'x b', 'c']],
  [
    'prose between lists',
    'One thing.\n\nAnother\nthing.\n\n- a',
    ['One thing.', 'Another\nthing.', 'a'],
  ],
  [
    'a fence between lists',
    '- a\n\n```sh\nmake\n\nmake test\n```',
    ['a', '```sh\nmake\n\nmake test\n```'],
  ],
  ['a quote', '- a\n\n> b\n\n- c', ['a', '> b', 'c']],
  ['text right below a heading', '### Soon\nSign it.\n\n### Later\n- a', ['Sign it.', 'a']],
  ['text right below a comment', '<!-- x -->\nSign it.\n\n- a', ['Sign it.', 'a']],
  ['a heading with nothing below it', '### Sign it\n\n### Later\n\n- a', ['### Sign it', 'a']],
  [
    'what ends like a lead and leads to nothing',
    '- a\n\nWaiting for Ada:',
    ['a', 'Waiting for Ada:'],
  ],
  [
    'a lead of several lines, which may say more',
    'The release is blocked.\nBesides:\n\n- a',
    ['The release is blocked.\nBesides:', 'a'],
  ],
  [
    'what only begins as if there were nothing',
    'Nothing blocked except the release.\n\n- No more than two retries: fix it\n- None of the tests pass',
    [
      'Nothing blocked except the release.',
      'No more than two retries: fix it',
      'None of the tests pass',
    ],
  ],
  ['a table', '| a | b |\n| - | - |\n| c | d |', ['| a | b |\n| - | - |\n| c | d |']],
])('found: %s', async (_, loops, items) => {
  expect(await itemsOf(loops)).toEqual(items)
})

test.each([
  ['what introduces a list', 'Left to do:\n\n- a'],
  ['comments', '<!-- what is open -->\n\n- a'],
  ['a comment of several lines', '<!--\n- not this\n-->\n\n- a'],
  ['headings of lower levels', '### Soon\n\n- a'],
  ['thematic breaks', '---\n\n- a'],
  ['empty items', '- a\n-\n- [ ]'],
  [
    'words that say that there is nothing',
    'Nothing else is open.\n\n- a\n- None.\n- *n/a*\n- None, all done!\n- No open loops at the moment',
  ],
])('not found: %s', async (_, loops) => {
  expect(await itemsOf(loops)).toEqual(['a'])
})

test('an open item below very many ticked ones is found', async () => {
  const ticked = Array.from({ length: 500 }, (_, i) => `${'  '.repeat(i)}- [x] t`)
  const loops = [...ticked, `${'  '.repeat(500)}- [ ] b`].join('\n')
  const items = (await itemsOf(loops)).filter(item => !item.startsWith('x '))
  expect(items).toHaveLength(1)
  expect(items[0]).toContain('- [ ] b')
})

test('open loops come before next steps, whatever order they stand in', async () => {
  const text = '## Immediate Next Steps\n1. b\n## Other\n- c\n## Pending Work / Open Loops\n- a\n'
  const [document] = (await readDocuments(text, 'markdown')).documents
  expect(document && openItems(document).map(item => item.text)).toEqual(['a', 'b'])
})

test('line ends of another system change nothing', async () => {
  expect(await itemsOf('- a\r\n  more\r\n- [x] b\r\n')).toEqual(['a\nmore', 'x b'])
})

test.each([
  ['items', (i: number) => `- item ${i}`, 100_000],
  ['headings with text below', (i: number) => `### H\nitem ${i}\n`, 30_000],
  ['comments with text below', (i: number) => `<!-- c -->\nitem ${i}\n`, 30_000],
])('very many %s take no long time', async (_, make, count) => {
  const loops = Array.from({ length: count }, (_, i) => make(i)).join('\n')
  const ms = await cpuTimeOf(async () => {
    expect(await itemsOf(loops)).toHaveLength(count)
  })
  expect(ms).toBeLessThan(5000)
})
