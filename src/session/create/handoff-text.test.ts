import { expect, test } from 'vitest'
import { readDocuments } from '../../document/index.ts'
import { bodyOf, contentOf, handoffText, withBody } from './handoff-text.ts'

async function taken(text: string) {
  const [document] = (await readDocuments(text, 'markdown')).documents
  if (!document) throw new Error('no document')
  return contentOf(document)
}

const TEXT = `---
mode: CREATE
timestamp: "2026-02-11T14:30:00Z"
---

<!-- guidance -->

# Title

## Decisions Made

- one

  \`\`\`md
  ## not a heading
  \`\`\`

## Environment State

Debian.
`

test('a document taken apart and put together again is the same', async () => {
  expect(handoffText(await taken(TEXT))).toBe(TEXT)
  expect(handoffText(await taken(TEXT.replaceAll('\n', '\r\n')))).toBe(TEXT)
})

test('what has no frontmatter has an empty one', async () => {
  expect(await taken('## A\ntext\n')).toEqual({
    frontmatter: {},
    preamble: '',
    sections: [{ title: 'A', level: 2, body: 'text' }],
  })
})

test('the frontmatter is in its usual order, with other keys at its end', () => {
  const frontmatter = { other: 1, agent: 'a', mode: 'CREATE' }
  expect(handoffText({ frontmatter, preamble: '', sections: [] })).toMatch(
    /^---\nmode: CREATE\nagent: a\nother: 1\n---\n/,
  )
})

test('a text in the frontmatter cannot close it', async () => {
  const frontmatter = { agent: 'a\n---\n\n## Decisions Made' }
  expect(
    (await taken(handoffText({ frontmatter, preamble: '', sections: [] }))).frontmatter,
  ).toEqual(frontmatter)
})

test('a section that was not there takes its place among the others', async () => {
  const { sections } = await taken(TEXT)
  const more = withBody(withBody(sections, 'Evidence / Artifacts', 'e'), 'Important Context', 'c')
  expect(more.map(s => s.title)).toEqual([
    'Title',
    'Important Context',
    'Decisions Made',
    'Evidence / Artifacts',
    'Environment State',
  ])
  expect(bodyOf(withBody(more, 'Important Context', 'd'), 'Important Context')).toBe('d')
})
