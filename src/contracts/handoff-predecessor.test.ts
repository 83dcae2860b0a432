import { expect, test } from 'vitest'
import { isElsewhere, predecessorPlaces } from './handoff-predecessor.ts'

test.each([
  [
    'above handoffs, next to it, in the root',
    'docs/adr/handoffs/b.md',
    'handoffs/a.md',
    ['docs/adr/handoffs/a.md', 'docs/adr/handoffs/handoffs/a.md', 'handoffs/a.md'],
  ],
  [
    'the innermost handoffs counts',
    'handoffs/x/handoffs/b.md',
    'a.md',
    ['handoffs/x/a.md', 'handoffs/x/handoffs/a.md', 'a.md'],
  ],
  ['a deeper folder', 'x/handoffs/2026/b.md', 'a.md', ['x/a.md', 'x/handoffs/2026/a.md', 'a.md']],
  ['outside of any handoffs', 'docs/b.md', './a.md', ['docs/a.md', 'a.md']],
  ['in the root every place is the same', 'b.md', 'a.md', ['a.md']],
  ['handoffs as a file name is no folder', 'handoffs', 'a.md', ['a.md']],
  ['places outside the root are left out', 'docs/handoffs/b.md', '../a.md', ['a.md', 'docs/a.md']],
  ['no place inside the root', 'docs/b.md', '../../a.md', []],
  ['absolute', 'docs/b.md', '/docs/a.md', []],
])('%s', (_, path, continuesFrom, places) => {
  expect(predecessorPlaces(path, continuesFrom)).toEqual(places)
})

test.each([
  ['../a.md', false],
  ['..\\a.md', false],
  ['a/../../../b.md', false],
  ['.../a.md', false],
  ['a..b.md', false],
  ['/../a.md', true],
  ['~/a.md', true],
  ['C:\\a.md', true],
  ['\\\\host\\a.md', true],
  ['https://example.org/a.md', true],
])('%s begins elsewhere: %s', (path, elsewhere) => {
  expect(isElsewhere(path)).toBe(elsewhere)
})
