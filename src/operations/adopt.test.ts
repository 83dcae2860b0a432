import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffFolder, openHandoffFolder } from '../../test/handoffs.ts'
import { faultsOf } from '../../test/output.ts'
import { waybill } from '../../test/waybill.ts'
import adopt from './adopt.ts'
import check from './check.ts'

let folder: HandoffFolder
beforeEach(() => {
  folder = openHandoffFolder()
})
afterEach(() => folder.remove())

const run = (given: Parameters<typeof adopt.run>[0] = {}) => adopt.run(given, folder.app())

const HOUSE = `# Session handoff: mail queue

**Date:** 2026-05-02
**Agent:** cursor

## What was done

- The queue retries.

### Odd corner

It sleeps for a second.

## Key insight (from Friday)

The server drops mail after 9 minutes.

## Retry decision

Three times, because the server counts.

## Follow-ups for Ada

1. Measure it.
`

test('a file in a shape of its own becomes a sound note next to it, with all of its text', async () => {
  folder.write('services/HANDOFF.md', HOUSE)
  const output = await run()
  expect(faultsOf('adopt', output)).toEqual([])
  const [document] = output.documents
  expect(document).toMatchObject({
    path: 'services/HANDOFF.md',
    outcome: 'adopted',
    output: 'services/handoffs/2026-05-02T00-00-00Z-mail-queue.md',
    added: [],
    notes: [],
  })
  expect(document?.headings.map(({ line, part, how }) => [line, part, how])).toEqual([
    [1, null, 'kept'],
    [6, 'state', 'common'],
    [10, null, 'kept'],
    [14, 'context', 'mapped'],
    [18, 'decisions', 'mapped'],
    [22, 'next', 'mapped'],
  ])
  expect(folder.textOf('services/HANDOFF.md')).toBe(HOUSE)
  const text = folder.textOf(document?.output ?? '')
  for (const line of HOUSE.split('\n').filter(line => !line.startsWith('##')))
    expect(text).toContain(line)
  expect(text).toContain('## Next Steps\n\n### Follow-ups for Ada\n\n1. Measure it.\n')
  expect(text).toMatch(/^---\nmode: CREATE\ntimestamp: "2026-05-02T00:00:00Z"\nagent: cursor\n/)
  expect(text).toContain('continues_from: ""\n')
  const checked = await check.run({ paths: [document?.output ?? ''] }, folder.app())
  expect(checked.documents).toMatchObject([{ contract: 'handoff-note', accepted: true }])
})

test('what was adopted before, and what is valid, is left alone', async () => {
  folder.write('HANDOFF.md', HOUSE)
  await run()
  const { documents } = await run()
  expect(documents.map(({ outcome, output }) => [outcome, output])).toEqual([
    ['known', 'handoffs/2026-05-02T00-00-00Z-mail-queue.md'],
    ['sound', null],
  ])
  expect(folder.filesIn('handoffs')).toHaveLength(1)
})

test('lines in bold and before a colon are headings, and an introduction is the state', async () => {
  folder.write(
    'HANDOFF.md',
    'The queue retries.\r\n\r\n**Next steps:**\r\n- Measure it.\r\n\r\nRules:\r\n\r\n- No rain.\r\n\r\n##### Blockers\r\n\r\nNone.\r\n',
  )
  utimesSync(join(folder.root, 'HANDOFF.md'), 1, Date.UTC(2026, 4, 3) / 1000)
  const [document] = (await run()).documents
  expect(document).toMatchObject({
    outcome: 'adopted',
    output: 'handoffs/2026-05-03T00-00-00Z-handoff.md',
    notes: [expect.stringContaining('its time is that of the file')],
  })
  expect(folder.textOf(document?.output ?? '').split('---\n\n')[1]).toBe(
    '## Status\n\nThe queue retries.\n\n## Next steps\n\n- Measure it.\n\n## Rules\n\n- No rain.\n\n### Blockers\n\nNone.\n',
  )
})

test('a file without decisions says that it has none, which is no decision in force', async () => {
  folder.write('HANDOFF.md', '## Status\n\nWorks.\n\n## TODO\n\n- Go on.\n')
  const [document] = (await run()).documents
  expect(document).toMatchObject({
    outcome: 'adopted',
    added: [{ title: 'Decisions', missing: false }],
  })
  expect(folder.textOf(document?.output ?? '')).toMatch(
    /## Decisions\n\nNone\.\n\n<!-- HANDOFF\.md records none\. -->\n$/,
  )
})

test('a named file without next steps becomes a draft; one that was only found does not', async () => {
  folder.write('HANDOFF.md', '## Status\n\nWorks.\n')
  expect((await run()).documents).toMatchObject([
    { outcome: 'refused', output: null, reason: expect.stringContaining('name the file') },
  ])
  const output = await run({ paths: ['HANDOFF.md'] })
  expect(output.documents).toMatchObject([
    {
      outcome: 'draft',
      output: expect.stringMatching(/^handoffs\/.+\.draft\.md$/),
      added: [{ title: 'Next Steps', missing: true }, { title: 'Decisions' }],
    },
  ])
  expect(adopt.failed?.(output)).toBe(true)
})

test('a faulty handoff document becomes a note that keeps what a note may not state', async () => {
  const yaml =
    'mode: CREATE\nadr_id: ADR-1.2.3-mail\nbranch: main\ntimestamp: "2026-05-02T08:00:00Z"\nagent: a\ncontinues_from: handoffs/gone.md\nteam: [x]\n'
  folder.write(
    'handoffs/2026-05-02T08-00-00Z-mail.md',
    `---\n${yaml}---\n\n## Current State Summary\n\nWorks.\n\n## Immediate Next Steps\n\n1. Go on.\n`,
  )
  const [document] = (await run()).documents
  expect(document).toMatchObject({
    outcome: 'adopted',
    output: 'handoffs/2026-05-02T08-00-00Z-mail-2.md',
  })
  expect(folder.textOf(document?.output ?? '')).toContain(
    'adr_id: ADR-1.2.3\nbranch: main\ntimestamp: "2026-05-02T08:00:00Z"\nagent: a\ncontinues_from: ""\nteam:\n  - x\noriginal:\n  continues_from: handoffs/gone.md\n  adr_id: ADR-1.2.3-mail\n',
  )
})

test('a frontmatter that is no YAML is kept as text', async () => {
  folder.write('HANDOFF.md', '---\na: b: c\n---\n\n## Status\n\nWorks.\n\n## Next\n\n- Go.\n')
  const [document] = (await run()).documents
  expect(document?.outcome).toBe('adopted')
  expect(folder.textOf(document?.output ?? '')).toContain('~~~text\na: b: c\n~~~\n')
})

test('a file with a credential is not copied', async () => {
  folder.write('HANDOFF.md', `${HOUSE}\npassword = hunter2-example\n`)
  const output = await run()
  expect(output.documents).toMatchObject([{ outcome: 'refused', output: null, text: null }])
  expect(JSON.stringify(output)).not.toContain('hunter2')
  expect(folder.filesIn('handoffs')).toEqual([])
})

test('a file that is no handoff is refused when it is named, and passed over when it is found', async () => {
  folder.write('docs/handover-policy.md', '# Policy\n\n## Who\n\nAll.\n')
  expect((await run()).documents).toEqual([])
  expect((await run({ paths: ['docs/handover-policy.md'] })).documents).toMatchObject([
    { outcome: 'refused', reason: expect.stringContaining("under 'headings' in waybill.yaml") },
  ])
})

test('headings of waybill.yaml count everywhere as the common names that they stand for', async () => {
  const text = '## Wo wir stehen\n\nLäuft.\n\n## Wrap-up\n\n- Go on.\n\n## Regeln\n\n- No rain.\n'
  folder.write('HANDOFF.md', text)
  folder.write(
    'waybill.yaml',
    "headings: { 'Wo wir stehen': Status, 'Wrap-up': 'Next Steps', Regeln: 'Rules' }\n",
  )
  const { documents } = await check.run({}, folder.app())
  expect(documents).toMatchObject([{ contract: 'handoff-note', accepted: true }])
  expect((await run()).documents).toMatchObject([{ outcome: 'sound' }])
})

test('a heading of waybill.yaml that stands for no common name is an error of the configuration', async () => {
  folder.write('waybill.yaml', "headings: { 'Wrap-up': 'Next Stepz' }\n")
  await expect(run()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringMatching(/waybill\.yaml:1:[0-9]+ 'Next Stepz' is not a common heading/),
  })
})

test('a dry run shows what maps to what, and writes nothing', async () => {
  folder.write('HANDOFF.md', HOUSE)
  const { stdout, status } = await waybill(['adopt', '--dry-run'], { cwd: folder.root })
  expect(status).toBe(0)
  expect(stdout).toContain('→ HANDOFF.md → handoffs/2026-05-02T00-00-00Z-mail-queue.md\n')
  expect(stdout).toMatch(/ {3}18 {2}Retry decision +mapped to decisions\n/)
  expect(folder.filesIn('handoffs')).toEqual([])
})

test('a check that finds no contract names the command that makes a note', async () => {
  folder.write('notes.md', HOUSE)
  const { documents } = await check.run({ paths: ['notes.md'] }, folder.app())
  expect(documents[0]?.diagnostics[0]?.hint).toBe(
    'to make a handoff note of it, run waybill adopt notes.md',
  )
})
