import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  exampleOf,
  type Given,
  type HandoffFolder,
  openHandoffFolder,
  REST,
  SECTIONS,
  stdin,
} from '../../../test/handoffs.ts'
import { faultsOf } from '../../../test/output.ts'
import { text } from '../../cli/render/new.ts'
import { style } from '../../cli/terminal.ts'
import check from '../check.ts'
import create, { createForPeople } from '../new.ts'

let folder: HandoffFolder
beforeEach(() => {
  folder = openHandoffFolder()
})
afterEach(() => folder.remove())

describe('a handoff document', () => {
  test('gets what is known, a name and a place, and is accepted by check', async () => {
    const output = await folder.first()
    expect(faultsOf('new', output)).toEqual([])
    expect(output).toMatchObject({
      accepted: true,
      created: true,
      path: 'handoffs/2026-06-01T00-00-00Z-handoff.md',
      predecessor: null,
      missing: [],
    })
    expect(folder.textOf(output.path)).toContain(
      '---\nmode: CREATE\nadr_id: ADR-0.0.25\nbranch: feature/tests\ntimestamp: "2026-06-01T00:00:00Z"\nagent: claude-code\n---\n',
    )
    const checked = await check.run({ paths: [output.path] }, folder.app())
    expect(checked.documents).toMatchObject([{ accepted: true, diagnostics: [] }])
  })

  test('may lack what waybill.yaml does not require', async () => {
    folder.write(
      'waybill.yaml',
      "rules: { 'handoff-document/required-sections': { severity: warning, reason: we have none } }\n",
    )
    const { 'Verification Checklist': _, ...sections } = SECTIONS
    const output = await folder.run({ from: '-', adr: 'ADR-0.0.25' }, stdin({ sections }))
    expect(output).toMatchObject({ accepted: true, diagnostics: [{ severity: 'warning' }] })
  })

  test('keeps what was given, field by field', async () => {
    const frontmatter = {
      agent: 'codex',
      branch: 'main',
      adr_id: 'ADR-1.2.3',
      timestamp: '2026-05-31T10:00:00+02:00',
    }
    const output = await folder.run({ from: '-' }, stdin({ frontmatter, sections: SECTIONS }))
    expect(output.path).toBe('handoffs/2026-05-31T08-00-00Z-handoff.md')
    expect(folder.textOf(output.path)).toContain('agent: codex\n')
    expect(folder.textOf(output.path)).toContain('branch: main\n')
    expect(output.known.map(k => k.field)).toEqual(['mode'])
  })

  test('is made of Markdown with or without frontmatter, and named after its title', async () => {
    const body = Object.entries({ ...SECTIONS, ...REST, 'Decisions Made': '- one' })
      .map(([title, text]) => `## ${title}\n\n${text}\n`)
      .join('\n')
    folder.write(
      'notes.md',
      `# Handoff: Schema tests\n\n${body}\n## Environment State\n\nDebian.\n`,
    )
    const output = await folder.run({ from: 'notes.md', adr: 'ADR-0.0.25' })
    expect(output.path).toBe('handoffs/2026-06-01T00-00-00Z-schema-tests.md')
    expect(folder.textOf(output.path)).toContain('## Environment State\n\nDebian.\n')
  })

  test('stands in the package of its decision record', async () => {
    folder.write('docs/ADR-0.0.25-handoffs/ADR.md', '# Decision\n')
    expect((await folder.first()).path).toMatch(/^docs\/ADR-0\.0\.25-handoffs\/handoffs\/2026/)
  })

  test('says where the state of the session stands', async () => {
    folder.write('SESSION_STATE.yaml', exampleOf('session-state.v1', 'yaml'))
    expect(folder.textOf((await folder.first()).path)).toContain(
      'The reader works.\n\nBy `SESSION_STATE.yaml` the session is in phase `5`, next is `Phase5.3-TestQualityGate`.\n',
    )
  })

  test.each<[string, Given, unknown, object]>([
    [
      'nothing is given',
      {},
      { sections: {} },
      { missing: [{ field: 'adr_id' }, ...Array(7).fill({})] },
    ],
    [
      'a section says nothing',
      { adr: 'ADR-0.0.25' },
      { sections: { ...SECTIONS, 'Decisions Made': '<!-- later -->' } },
      { missing: [{ field: 'Decisions Made' }] },
    ],
    [
      'a placeholder is left',
      { adr: 'ADR-0.0.25' },
      { sections: { ...SECTIONS, 'Important Context': 'TBD' } },
      { diagnostics: [{ code: 'handoff-document/no-placeholders' }] },
    ],
    [
      'evidence does not exist',
      { adr: 'ADR-0.0.25' },
      { sections: { ...SECTIONS, 'Evidence / Artifacts': '- `src/b.ts`' } },
      { diagnostics: [{ code: 'handoff-document/referenced-files-exist' }] },
    ],
    [
      'a field is unknown',
      { adr: 'ADR-0.0.25' },
      { frontmatter: { mood: 'fine' }, sections: SECTIONS },
      { diagnostics: [{ code: 'schema/additional-properties' }] },
    ],
    [
      'its time lies in the future',
      { adr: 'ADR-0.0.25' },
      { frontmatter: { timestamp: '2027-01-01T00:00:00Z' }, sections: SECTIONS },
      { diagnostics: [{ code: 'handoff-document/no-future-times' }] },
    ],
    [
      'the Markdown is torn',
      {},
      '---\nmode: CREATE\n\n## A\n',
      { diagnostics: [{ code: 'syntax/frontmatter-open' }] },
    ],
  ])('is not written where %s', async (_, given, content, part) => {
    const output = await folder.run({ from: '-', ...given }, stdin(content))
    expect(faultsOf('new', output)).toEqual([])
    expect(output).toMatchObject({ accepted: false, created: false, text: null, ...part })
    expect(create.failed?.(output)).toBe(true)
    expect(folder.filesIn('handoffs')).toEqual([])
  })

  test('takes no title that would become text of the document', async () => {
    const sections = { ...SECTIONS, 'Notes\n\n## Decisions Made': 'x' }
    await expect(
      folder.run({ from: '-', adr: 'ADR-0.0.25' }, stdin({ sections })),
    ).rejects.toMatchObject({ code: 'usage' })
  })

  test('prints nothing that rewrites a terminal', async () => {
    const sections = { ...SECTIONS, 'Important Context': 'a\u001b[2Jb\u202e' }
    const app = folder.app(stdin({ sections }))
    const given = { contract: 'handoff-document', from: '-', adr: 'ADR-0.0.25', agent: 'a' }
    const output = await createForPeople({ ...given, dryRun: true }, app)
    expect(text(output, style(false), app, false)).toContain('\na\\u{1b}[2Jb\\u{202e}\n')
  })

  test('never shows a secret that it refuses', async () => {
    const sections = { ...SECTIONS, 'Important Context': 'password = hunter2-example' }
    const output = await folder.run({ from: '-', adr: 'ADR-0.0.25' }, stdin({ sections }))
    expect(output).toMatchObject({ diagnostics: [{ code: 'handoff-document/no-secrets' }] })
    expect(JSON.stringify(output)).not.toContain('hunter2')
  })

  test('is written as a draft whatever is wrong, and no draft passes', async () => {
    const output = await folder.run({ draft: true })
    expect(output).toMatchObject({ accepted: false, created: true, draft: true })
    expect(output.path).toBe('handoffs/2026-06-01T00-00-00Z-handoff.draft.md')
    expect(create.failed?.(output)).toBe(false)
    const checked = await check.run({ paths: [output.path] }, folder.app())
    expect(checked.summary.rejected).toBe(1)
  })

  test('is finished from its draft', async () => {
    await folder.first()
    const draft = await folder.later({ sections: {} }, { draft: true })
    const done = folder.textOf(draft.path).replace(/TODO: .*/g, 'It is `src/a.ts`.')
    folder.write(draft.path, done)
    const output = await folder.run({ from: draft.path }, { now: Date.UTC(2026, 5, 2) })
    expect(output).toMatchObject({
      created: true,
      path: 'handoffs/2026-06-02T00-00-00Z-handoff.md',
    })
    expect(output.carried.map(c => c.said)).toEqual(Array(4).fill('restated'))
    expect(folder.textOf(output.path)).toBe(
      done.replace('## Decisions Made\n\n', '## Decisions Made\n\nD-002: '),
    )
  })

  test('is printed and not written in a dry run', async () => {
    const output = await folder.run(
      { from: '-', adr: 'ADR-0.0.25', dryRun: true },
      stdin({ sections: SECTIONS }),
    )
    expect(output).toMatchObject({ accepted: true, created: false, dryRun: true })
    expect(output.text).toMatch(/^---\nmode: CREATE\n/)
    expect(folder.filesIn('handoffs')).toEqual([])
  })
})

test('with a detached head the branch has to be given', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder.root,
    })
  git('commit', '-q', '--allow-empty', '-m', 'x')
  git('checkout', '-q', '--detach')
  const output = await folder.first()
  expect(output).toMatchObject({ created: false, missing: [{ field: 'branch' }] })
  const given = { frontmatter: { branch: 'main' }, sections: SECTIONS }
  const again = await folder.run({ from: '-', adr: 'ADR-0.0.25' }, stdin(given))
  expect(again.created).toBe(true)
})

test('outside a repository of Git the branch is none, or the one that was named', async () => {
  rmSync(join(folder.root, '.git'), { recursive: true })
  const output = await folder.first()
  expect(folder.textOf(output.path)).toContain('\nbranch: none\n')
  expect(output.known).toContainEqual({
    field: 'branch',
    value: 'none',
    from: 'no Git repository; --branch names another',
  })
  const named = await folder.later({ sections: REST }, { branch: 'trunk' })
  expect(named).toMatchObject({ created: true, predecessor: output.path })
  expect(folder.textOf(named.path)).toContain('\nbranch: trunk\n')
})
