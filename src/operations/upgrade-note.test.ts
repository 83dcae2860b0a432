import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffFolder, openHandoffFolder } from '../../test/handoffs.ts'
import { faultsOf } from '../../test/output.ts'
import { statementsOf } from '../contracts/index.ts'
import check from './check.ts'
import upgrade from './upgrade.ts'

let folder: HandoffFolder
beforeEach(() => {
  folder = openHandoffFolder()
})
afterEach(() => folder.remove())

const NOTE = `---
timestamp: "2026-05-31T08:00:00Z"
agent: cursor
team: mail
---

# Mail queue

## Status

The queue retries.

## Constraints

- R-001: No rain.

### Places

The code is in \`src/a.ts\`.

\`\`\`sh
# a comment
\`\`\`

## Key decisions

- Three times.

## Team

Ada and Grace.

## TODO

1. Measure it.
2. Tell the server's owners.
3. Write it down.
`
const run = (given: Partial<Parameters<typeof upgrade.run>[0]> = {}) =>
  upgrade.run({ paths: ['HANDOFF.md'], adr: 'ADR-0.0.1', ...given }, folder.app())

test('a note becomes a sound handoff document of a decision record, with all of its text', async () => {
  folder.write('HANDOFF.md', NOTE)
  const output = await run({ output: 'handoffs/2026-05-31T08-00-00Z-mail.md' })
  expect(faultsOf('upgrade', output)).toEqual([])
  const [document] = output.documents
  expect(document).toMatchObject({ outcome: 'written', to: 'handoff-document 1.0' })
  const text = folder.textOf(document?.output ?? '')
  expect(text).toContain(
    '---\nmode: CREATE\nadr_id: ADR-0.0.1\nbranch: feature/tests\ntimestamp: "2026-05-31T08:00:00Z"\nagent: cursor\n---\n\n# Mail queue\n\n## Current State Summary\n\nThe queue retries.\n\n## Important Context\n\n### Standing Rules\n\n- R-001: No rain.\n',
  )
  expect(text).toContain('## Team\n\nAda and Grace.\n')
  expect(text).toContain('- team: "mail"\n')
  expect(text).toContain('\n# a comment\n')
  const stated = statementsOf(text).map(({ kind, text }) => [kind, text])
  expect(stated.filter(([kind]) => kind !== 'fact')).toEqual([
    ['rule', 'No rain.'],
    ['decision', 'Three times.'],
  ])
  const { documents } = await check.run({ paths: ['handoffs'] }, folder.app())
  expect(documents).toMatchObject([{ contract: 'handoff-document', accepted: true }])
  expect(folder.textOf('HANDOFF.md')).toBe(NOTE)
})

test('what is no valid note is refused, and nothing is written', async () => {
  folder.write('HANDOFF.md', '## Status\n\nWorks.\n')
  const output = await run({ write: true })
  expect(output.documents).toMatchObject([
    { outcome: 'refused', reason: 'it is not a valid handoff note' },
  ])
  folder.write('HANDOFF.md', `${NOTE}\n## Files\n\n- \`src/gone.ts\`\n`)
  const gone = await run({ write: true })
  expect(gone.documents).toMatchObject([
    {
      reason: 'it gives an invalid handoff document',
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ code: 'handoff-document/referenced-files-exist' }),
      ]),
    },
  ])
  const first = await folder.first()
  expect((await run({ paths: [first.path] })).documents).toMatchObject([
    { reason: 'only a handoff note becomes a handoff document' },
  ])
})

test('a decision record has the form of one', async () => {
  await expect(run({ adr: 'ADR-1' })).rejects.toMatchObject({ code: 'usage' })
  await expect(run({ adr: 'ADR-1.0.0', to: '1.0' })).rejects.toMatchObject({ code: 'usage' })
})
