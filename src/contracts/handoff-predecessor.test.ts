import { expect, test } from 'vitest'
import { check } from '../index.ts'
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

const NOTE = '## Status\n\nOn.\n\n## Next Steps\n\nNone.\n\n## Decisions\n\n- One.\n'

test.each([
  [0, 'HANDOFF.md', '', undefined],
  [1, 'HANDOFF.md', '', 'yesterday'],
  [1, 'HANDOFF.md', 'timestamp: "2026-06-01T09:30:00Z"\n', undefined],
  [1, 'handoffs/2026-06-01T09-30-00Z-mail.md', '', undefined],
])(
  'only a dated note warns of an undated predecessor: %i in %s with %j after %j',
  async (count, path, more, timestamp) => {
    const text = `---\n${more}continues_from: handoffs/a.md\n---\n\n${NOTE}`
    const predecessor = { path: 'handoffs/a.md', ...(timestamp && { timestamp }) }
    const facts = { lineage: { value: { predecessor } } }
    const { documents } = await check(text, { path, facts })
    const found = documents[0]?.diagnostics.filter(d => d.code === 'handoff-note/predecessor-dated')
    expect(found).toHaveLength(count)
  },
)
