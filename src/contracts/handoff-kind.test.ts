import { expect, test } from 'vitest'
import { readDocuments, readMarkdown } from '../document/index.ts'
import { check } from '../index.ts'
import { noteSections } from './handoff-outline.ts'
import { partOf } from './handoff-parts.ts'
import { openItems, statementsOf } from './index.ts'

const NOTE =
  '## Status\n\nWorks.\n\n## Next Steps\n\n- Go on.\n\n## Decisions\n\n- Rows are streamed.\n'
const TITLES =
  '## Current State Summary\n\na\n\n## Important Context\n\na\n\n## Decisions Made\n\na\n\n## Immediate Next Steps\n\na\n'
const KEYS = 'branch: b\nagent: a\ntimestamp: "2026-06-01T09:30:00Z"\n'
const framed = (yaml: string, body = NOTE) => `---\n${yaml}---\n\n${body}`

test.each([
  ['handoff-note', 'HANDOFF.md', NOTE],
  ['handoff-note', 'services/mail/Handoff.md', NOTE],
  ['handoff-note', 'HANDOFF-mail-2.md', '# Open questions\n'],
  ['handoff-note', 'docs/handoff.md', NOTE],
  ['handoff-note', 'Docs/handoffs-of-may.md', NOTE],
  ['handoff-note', 'Handoffs/friday.md', '### key decisions:\n'],
  ['handoff-note', 'handoffs/2026-06-01T09-30-00Z-mail.md', NOTE],
  ['handoff-note', 'handoffs/friday.md', framed(KEYS)],
  ['handoff-note', 'HANDOFF.md', TITLES],
  ['handoff-note', 'notes/friday.md', framed('contract: handoff-note.v1\n')],
  ['handoff-note', 'handoffs/a.md', framed(`contract: handoff-note\nadr_id: ADR-1.0.0\n${KEYS}`)],
  ['handoff-document', 'handoffs/friday.md', framed(`adr_id: ADR-1.0.0\n${KEYS}`)],
  ['handoff-document', 'handoffs/friday.md', framed(KEYS, TITLES)],
  ['handoff-document', 'handoffs/friday.md', TITLES],
  ['handoff-document', 'HANDOFF.md', framed(KEYS, TITLES)],
  ['handoff-document', 'handoffs/2026-06-01T09-30-00Z-mail.md', 'Nothing yet.\n'],
  [undefined, 'notes/friday.md', NOTE],
  [undefined, 'HANDOFF.md', '# How we hand over\n\n#### Status\n'],
  [undefined, 'docs/handing-over.md', NOTE],
  [undefined, 'handoffs/README.md', NOTE],
  [undefined, 'handoffs/note-template.md', NOTE],
  [undefined, 'docs/handoff.md', '## References\n'],
])('a text is taken for %s in %s: %j', async (contract, path, text) => {
  const { documents } = await check(text, { path, structureOnly: true })
  expect(documents[0]?.contract).toBe(contract)
})

test.each([
  ['Next Steps', 'next'],
  ['next steps:', 'next'],
  ['**NEXT STEPS**', 'next'],
  ['3. Next steps', 'next'],
  ['🚀 What’s next?', 'next'],
  ['TODO', 'next'],
  ['To-Do', 'next'],
  ['Blockers & Open Questions', 'open'],
  ['Pending Work / Open Loops', 'open'],
  ['Key Decisions', 'decisions'],
  ['Do NOT', 'rules'],
  ['TL;DR', 'state'],
  ['Wrap-up', undefined],
  ['Next steps for Ada', undefined],
])('%j names the part %s', (title, part) => {
  expect(partOf(title)).toBe(part)
})

test('a heading of the repository’s own stands for a common name, in any case', () => {
  expect(partOf('WRAP UP', { 'Wrap-up': 'Next Steps' })).toBe('next')
  expect(partOf('Wrap-up', { 'Wrap-up': 'no such name' })).toBeUndefined()
})

test('a heading without a common name belongs to the section above it whose level is lower', () => {
  const text =
    '# Title\n\n## Context\n\na\n\n### Rules\n\n- r\n\n### Places\n\nb\n\n## Team\n\nc\n\n# Status\n\n## CSV\n\nd\n'
  const sections = noteSections(readMarkdown(text))
  const shown = sections.map(({ part, content }) => [
    part,
    text.slice(content.start, content.end).trim(),
  ])
  expect(shown).toEqual([
    ['context', 'a'],
    ['rules', '- r'],
    ['context', '### Places\n\nb'],
    ['state', '## CSV\n\nd'],
  ])
})

const LONG = `# HANDOFF

## Context

- The build takes 9 minutes.

### Constraints

Until they are superseded:

1. R-001: Never force-push. \`scope: git push*\`

### Places

The configuration is in \`app.yaml\`.

## Key Decisions

None.

### Streaming

Rows are streamed.

## TODO

- [x] Tests
- [ ] Manual

## Wrap-up

- Send the mail.

## Blockers

None at the moment.
`

test('of a note, rules, decisions and facts are read under its own headings', () => {
  const stated = statementsOf(LONG, { path: 'HANDOFF.md' })
  expect(stated.map(({ kind, text, line, scope }) => [kind, text, line, scope])).toEqual([
    ['fact', 'The build takes 9 minutes.', 5, undefined],
    ['rule', 'Never force-push.', 11, 'git push*'],
    ['fact', 'The configuration is in `app.yaml`.', 15, undefined],
    ['decision', 'Streaming\nRows are streamed.', 21, undefined],
  ])
  expect(statementsOf(LONG)).toEqual([])
})

test('of a note, open items are its next steps and open loops', async () => {
  const [document] = (await readDocuments(LONG, 'markdown')).documents
  if (!document) throw new Error('no document')
  const headings = { 'Wrap-up': 'Next Steps' }
  expect(openItems(document, { path: 'HANDOFF.md', headings })).toEqual([
    { section: 'Immediate Next Steps', text: 'Tests', done: true },
    { section: 'Immediate Next Steps', text: 'Manual', done: false },
    { section: 'Immediate Next Steps', text: 'Send the mail.', done: false },
  ])
})
