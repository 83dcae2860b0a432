import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type HandoffRepository,
  NOON,
  openHandoffRepository,
} from '../../test/handoff-repository.ts'
import { codesOf, recordsOf, resumeIn, stepsOf, VERIFIED } from '../../test/resuming.ts'
import { readRecords } from '../workspace/index.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

type Input = Parameters<typeof resumeIn>[1]
const run = (input: Input = {}, more: Parameters<typeof resumeIn>[2] = {}) =>
  resumeIn(repo, input, more)
const later = (hours: number) => ({ now: NOON + hours * 3_600_000 })

describe('staleness', () => {
  test('slightly stale goes on with a caution', async () => {
    repo.handoff('a', 30)
    const output = await run()
    expect(output).toMatchObject({ accepted: true, staleness: { class: 'slightly stale' } })
    expect(codesOf(output)).toEqual(['resume/slightly-stale'])
    expect(stepsOf(output)).toMatchObject({ classify: 'caution', brief: 'passed' })
  })

  test('on a terminal a person is asked why a stale document holds; Enter refuses it', async () => {
    repo.handoff('a', 80)
    const asked: string[] = []
    const answering = (answer: string) => ({
      ask: async (question: string) => {
        asked.push(question)
        return answer
      },
    })
    expect((await run({}, answering(''))).accepted).toBe(false)
    const output = await run({}, answering('nothing was merged'))
    expect(output).toMatchObject({
      accepted: true,
      verification: { note: 'nothing was merged', new: true },
    })
    expect(asked[1]).toContain('This handoff is stale: written 3 days ago.')
    expect((await run()).accepted).toBe(true)
  })

  test.each([
    [80, 'stale'],
    [200, 'very stale'],
  ])('%d hours are %s, and refused with the remedy', async (hours, staleness) => {
    const path = repo.handoff('a', hours)
    const output = await run()
    expect(output).toMatchObject({ accepted: false, brief: null, staleness: { class: staleness } })
    expect(output.diagnostics).toMatchObject([
      {
        code: 'resume/stale',
        hint: expect.stringContaining(`waybill resume ${path} --verified-by`),
      },
    ])
    expect(recordsOf(repo, 'resume-refused')).toHaveLength(1)
  })

  test('commits since refuse nothing and are listed, files that the document names first', async () => {
    repo.write('src/z.ts', '')
    const path = repo.handoff('a', 3, { evidence: '- `src/z.ts`: the last one' })
    repo.commit(2)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'z']) {
      repo.write(`src/${name}.ts`, name)
      repo.commit(1)
    }
    const output = await run()
    const paths = ['z', 'a', 'b', 'c', 'd', 'e'].map(name => `src/${name}.ts`)
    expect(output).toMatchObject({
      accepted: true,
      staleness: { class: 'fresh', factor: 'age' },
      changes: { commits: 6, files: 6, named: 1, paths },
    })
    expect(output.diagnostics).toMatchObject([
      {
        code: 'resume/changed-since',
        severity: 'warning',
        message:
          "6 commits changed 6 files since it was written, 1 of them named in it: 'src/z.ts', 'src/a.ts', 'src/b.ts', 'src/c.ts' and 2 others",
        path,
      },
    ])
  })

  test('the ages of waybill.yaml decide, and have to rise', async () => {
    repo.handoff('a', 80)
    repo.write('waybill.yaml', 'staleness: { slightly: 3d, stale: 100h }\n')
    expect(await run()).toMatchObject({ accepted: true, staleness: { class: 'slightly stale' } })
    repo.write('waybill.yaml', 'staleness: { slightly: 1d, stale: 60h, very: 3d }\n')
    expect(await run()).toMatchObject({ accepted: false, staleness: { class: 'very stale' } })
    repo.write('waybill.yaml', 'staleness: { stale: 8d }\n')
    await expect(run()).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining("'very' is below the one before it"),
    })
  })

  test('a person’s word is recorded, and holds for the same bytes until one of them changes', async () => {
    const path = repo.handoff('a', 80)
    const first = await run(VERIFIED)
    expect(first).toMatchObject({
      accepted: true,
      verification: { by: 'Grace', note: 'CI is green', standing: 'claimed', new: true },
    })
    expect(recordsOf(repo, 'verification')).toMatchObject([
      { by: 'Grace', note: 'CI is green', subject: { path, sha256: first.handoff?.sha256 } },
    ])
    const second = await run({}, later(1))
    expect(second).toMatchObject({
      accepted: true,
      verification: {
        by: 'Grace',
        at: '2026-06-01T12:00:00.000Z',
        standing: 'claimed',
        new: false,
      },
    })
    expect(second.diagnostics[0]?.message).toContain('Grace verified it')
    appendFileSync(join(repo.root, path), '\n')
    expect(await run({}, later(1))).toMatchObject({ accepted: false, verification: null })
  })

  test.each<Input>([
    { verifiedBy: 'Grace' },
    { note: 'why' },
    { verifiedBy: ' ', note: 'why' },
    { verifiedBy: 'Grace', note: '' },
    { timeout: 0 },
  ])('%j is not understood', async input => {
    repo.handoff('a', 80)
    await expect(run(input)).rejects.toMatchObject({ code: 'usage' })
  })

  test('an invalid document counts as not verified', async () => {
    repo.handoff('a', 80, { extra: '\nTBD\n' })
    expect((await run(VERIFIED)).accepted).toBe(false)
    expect(recordsOf(repo, 'verification')).toEqual([])
  })

  test('a record that was changed does not count, and a message says so', async () => {
    const path = repo.handoff('a', 80)
    await run(VERIFIED)
    const other = repo.handoff('b', 79)
    const place = join(repo.root, '.waybill/records')
    for (const name of readdirSync(place)) {
      const text = readFileSync(join(place, name), 'utf8')
      if (text.includes('verification'))
        writeFileSync(join(place, name), text.replace('Grace', 'Eve'))
    }
    const output = await run({ path })
    expect(output).toMatchObject({ accepted: false, verification: null })
    expect(codesOf(output)).toEqual(['resume/stale', 'resume/broken-records'])
    const fresh = await run({ path: other, ...VERIFIED })
    expect(fresh.accepted).toBe(true)
    expect(codesOf(fresh)).toContain('resume/broken-records')
  })

  test('a record that came with the repository does not count', async () => {
    repo.handoff('a', 80)
    await run(VERIFIED)
    repo.git('add', '-Af', '.waybill')
    repo.commit()
    const output = await run()
    expect(output).toMatchObject({ accepted: false, verification: null })
    expect(codesOf(output)).toContain('resume/tracked-records')
  })

  test('no secret in what a person says is kept', async () => {
    repo.handoff('a', 80)
    const key = `ghp_${'a1B2'.repeat(9)}`
    const output = await run({ verifiedBy: 'Grace', note: `token=${key}`, as: key, session: key })
    expect(JSON.stringify(output)).not.toContain(key)
    expect(JSON.stringify(readRecords(repo.root))).not.toContain(key)
  })
})

describe('branch and evidence', () => {
  test('another branch that is checked out is a warning', async () => {
    repo.handoff('a', 2)
    repo.commit(1)
    repo.git('switch', '-qc', 'other')
    const output = await run()
    expect(output).toMatchObject({
      accepted: true,
      branch: { checkedOut: 'other', state: 'elsewhere' },
    })
    expect(output.diagnostics).toMatchObject([
      { code: 'resume/other-branch', hint: 'git switch main' },
    ])
  })

  test('a detached head is a warning', async () => {
    repo.handoff('a', 2)
    repo.commit(1)
    repo.git('switch', '-q', '--detach')
    expect(await run()).toMatchObject({
      accepted: true,
      branch: { checkedOut: null, state: 'elsewhere' },
    })
  })

  test('a branch that was merged and deleted is reported as merged', async () => {
    repo.commit(5)
    repo.git('switch', '-qc', 'feature')
    repo.handoff('a', 2, { branch: 'feature' })
    repo.commit(1)
    repo.git('switch', '-q', 'main')
    repo.git('merge', '-q', '--no-ff', 'feature')
    expect((await run()).branch).toMatchObject({ state: 'merged' })
    repo.git('branch', '-d', 'feature')
    const output = await run()
    expect(output).toMatchObject({ accepted: true, branch: { state: 'merged' } })
    expect(codesOf(output)).toEqual(['resume/other-branch', 'resume/also-resumed'])
  })

  test('a branch that is gone is a warning', async () => {
    repo.commit(5)
    repo.handoff('a', 2, { branch: 'feature' })
    const output = await run()
    expect(output).toMatchObject({ accepted: true, branch: { state: 'gone' } })
    expect(codesOf(output)).toEqual(['resume/other-branch'])
  })

  test('a branch that has parted from the one it follows is a warning', async () => {
    repo.handoff('a', 2)
    repo.commit(1)
    repo.git('branch', 'theirs')
    repo.write('ours', '')
    repo.commit(0)
    repo.git('switch', '-q', 'theirs')
    repo.commit(0)
    repo.git('switch', '-q', 'main')
    repo.git('branch', '--set-upstream-to=theirs', 'main')
    expect(await run()).toMatchObject({ accepted: true, branch: { state: 'diverged' } })
  })

  test('the branch of a very old document is looked for too', async () => {
    repo.commit(1)
    repo.handoff('a', 2000, { branch: 'long-gone' })
    expect(await run(VERIFIED)).toMatchObject({ branch: { stated: 'long-gone', state: 'gone' } })
  })

  test('without Git only the age counts', async () => {
    repo.remove()
    repo = openHandoffRepository({ git: false })
    repo.handoff('a', 2)
    expect(await run({ as: 'codex' })).toMatchObject({
      accepted: true,
      staleness: { class: 'fresh' },
      branch: { stated: 'main', checkedOut: null, state: 'no-repository' },
    })
  })

  test('a repository that Git cannot read is a warning', async () => {
    repo.remove()
    repo = openHandoffRepository({ git: false })
    repo.handoff('a', 2)
    repo.write('.git/HEAD', 'nonsense')
    expect(await run({ as: 'codex' })).toMatchObject({
      accepted: true,
      diagnostics: [{ code: 'resume/changed-since' }, { code: 'resume/other-branch' }],
      branch: { state: 'unknown' },
    })
  })

  test('what is named as evidence is looked for', async () => {
    repo.write('src/a.ts', '')
    repo.handoff('a', 2, { evidence: '- `src/a.ts:12` and `src/*.ts`' })
    const output = await run()
    expect(output.references).toEqual([
      { path: 'src/a.ts', exists: true },
      { path: 'src/*.ts', exists: true },
    ])
  })
})
