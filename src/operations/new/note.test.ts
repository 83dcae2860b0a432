import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffFolder, openHandoffFolder, stdin } from '../../../test/handoffs.ts'
import { faultsOf } from '../../../test/output.ts'
import check from '../check.ts'

let folder: HandoffFolder
beforeEach(() => {
  folder = openHandoffFolder()
})
afterEach(() => folder.remove())

const NOTE = {
  Status: 'The reader works.',
  Decisions: ['**Strict**, since a typing error must be seen.'],
  'Next Steps': '1. Write tests\n2. Write docs',
  Blockers: '- Old files have no header.',
}
const given = { contract: 'handoff-note', from: '-' } as const

test('a note gets what is known, needs no decision record, and is accepted by check', async () => {
  const output = await folder.run(given, stdin({ sections: NOTE }))
  expect(faultsOf('new', output)).toEqual([])
  expect(output).toMatchObject({
    accepted: true,
    path: 'handoffs/2026-06-01T00-00-00Z-handoff.md',
    missing: [],
    diagnostics: [],
  })
  expect(folder.textOf(output.path)).toContain(
    '---\nmode: CREATE\nbranch: feature/tests\ntimestamp: "2026-06-01T00:00:00Z"\nagent: claude-code\ncontract: handoff-note.v1\n---\n\n# Handoff\n\n## Status\n',
  )
  const checked = await check.run({ paths: [output.path] }, folder.app())
  expect(checked.documents).toMatchObject([{ contract: 'handoff-note', accepted: true }])
})

test('a note continues the newest handoff, and carries over what that left open, under its own headings', async () => {
  folder.write(
    'HANDOFF.md',
    '# Status\n\nWorks.\n\n# TODO\n\n- Send the mail.\n\n# Rules\n\n- No rain.\n',
  )
  const first = await folder.run(given, { ...stdin({ sections: NOTE }), now: Date.now() + 1000 })
  expect(first).toMatchObject({ predecessor: 'HANDOFF.md', accepted: true })
  expect(folder.textOf(first.path)).toContain('mode: RESUME\n')
  expect(folder.textOf(first.path)).toContain('continues_from: HANDOFF.md\n')
  expect(folder.textOf(first.path)).toMatch(
    /## Blockers\n\n- Old files have no header\.\n\nWhat `HANDOFF\.md` left to do:\n\n- Send the mail\.\n/,
  )
  const { 'Next Steps': _, ...rest } = NOTE
  const second = await folder.run(given, { ...stdin({ sections: rest }), now: Date.now() + 9e7 })
  expect(second.predecessor).toBe(first.path)
  expect(folder.textOf(second.path)).toMatch(/## Next Steps\n\n1\. Write tests\n/)
})

test('a note that lacks a part is refused, and its draft shows each part', async () => {
  const sections = { Rules: 'No rain.' }
  const refused = await folder.run(given, stdin({ sections }))
  expect(refused).toMatchObject({ accepted: false, created: false })
  expect(refused.missing.map(({ field }) => field)).toEqual(['Status', 'Next Steps'])
  const draft = await folder.run({ ...given, draft: true }, stdin({ sections }))
  expect(draft.text).toMatch(/## Rules\n\nNo rain\.\n\n## Status\n\nTODO: .+\n\n## Next Steps\n/)
})
