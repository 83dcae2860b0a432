import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HandoffRepository, openHandoffRepository } from '../../test/handoff-repository.ts'
import { codesOf, recordsOf, resumeIn, stepsOf, VERIFIED } from '../../test/resuming.ts'
import { text } from '../cli/render/resume.ts'
import { style } from '../cli/terminal.ts'
import check from './check.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

type Input = Parameters<typeof resumeIn>[1]
const run = (input: Input = {}, more: Parameters<typeof resumeIn>[2] = {}) =>
  resumeIn(repo, input, more)

describe('the newest valid document', () => {
  test('is taken, with every step in its order', async () => {
    const first = repo.handoff('one', 5)
    const path = repo.handoff('two', 2, { before: first })
    repo.commit(1)
    const output = await run({ as: 'codex', session: 's-1' })
    expect(output).toMatchObject({
      accepted: true,
      handoff: { path, adr: 'ADR-0.0.25', branch: 'main' },
      staleness: { class: 'fresh', factor: 'age' },
      chain: [{ path: first }],
      branch: { stated: 'main', checkedOut: 'main', state: 'checked-out' },
      checks: [{ text: 'the page looks right', command: null, outcome: 'not-run' }],
      others: [],
      diagnostics: [],
    })
    expect(stepsOf(output)).toEqual({
      validate: 'passed',
      classify: 'passed',
      load: 'passed',
      chain: 'passed',
      references: 'passed',
      branch: 'passed',
      checks: 'not-taken',
      brief: 'passed',
    })
    expect(output.brief).toContain('Write the search for placeholders')
    expect(recordsOf(repo, 'resume')).toMatchObject([
      { by: 'codex', session: 's-1', subject: { path, sha256: output.handoff?.sha256 } },
    ])
  })

  test('is not one of a future time; newer ones that are not valid are named with why', async () => {
    const path = repo.handoff('good', 3)
    const faulty = repo.handoff('faulty', 2, { extra: '\nTBD\n' })
    const future = repo.handoff('future', -1000)
    repo.commit()
    const output = await run()
    expect(output.handoff?.path).toBe(path)
    expect(output.passedOver.map(p => [p.path, p.reasons[0]?.code])).toEqual([
      [future, 'handoff-document/no-future-times'],
      [faulty, 'handoff-document/no-placeholders'],
    ])
    expect(codesOf(output)).toEqual(['resume/passed-over'])
    expect(text(output, style(false), repo.app(), false)).toContain(`✗ ${future}`)
  })

  test('of two of the same time is the one whose path comes last', async () => {
    repo.handoff('a', 2)
    const path = repo.handoff('b', 2)
    expect((await run()).handoff?.path).toBe(path)
  })

  test('is determined by the time in it, not by its name', async () => {
    repo.handoff('one', 2, { path: 'handoffs/2030-01-01T00-00-00Z-one.md' })
    const path = repo.handoff('two', 1, { path: 'handoffs/2020-01-01T00-00-00Z-two.md' })
    expect((await run()).handoff?.path).toBe(path)
  })

  test('is no draft', async () => {
    const path = repo.handoff('one', 2)
    repo.handoff('two.draft', 1)
    expect((await run()).handoff?.path).toBe(path)
  })

  test('may not exist: then no session resumes, and that is recorded', async () => {
    repo.handoff('a', 2, { extra: '\nTBD\n' })
    const output = await run({ as: 'codex' })
    expect(output).toMatchObject({ accepted: false, handoff: null, brief: null })
    expect(codesOf(output)).toEqual(['resume/none-valid'])
    expect(recordsOf(repo, 'resume-refused')).toMatchObject([
      { by: 'codex', codes: ['resume/none-valid'] },
    ])
  })

  test('where there is no document at all is an error of the call, and leaves nothing behind', async () => {
    await expect(run()).rejects.toMatchObject({ code: 'not-found' })
    expect(readdirSync(repo.root)).toEqual(['.git'])
  })
})

describe('a document that is named', () => {
  test('is refused with what is wrong when it is not valid', async () => {
    const path = repo.handoff('a', 2, { extra: '\nTBD\n' })
    repo.handoff('b', 1)
    const output = await run({ path })
    expect(output).toMatchObject({ accepted: false, handoff: { path }, brief: null })
    expect(output.diagnostics).toMatchObject([
      {
        code: 'handoff-document/no-placeholders',
        severity: 'error',
        path,
        line: expect.anything(),
      },
    ])
    expect(Object.values(stepsOf(output))).toEqual(['refused', ...Array(7).fill('not-taken')])
  })

  test('is refused when it is a draft, or something else', async () => {
    const draft = repo.handoff('a.draft', 2)
    expect(codesOf(await run({ path: draft }))).toEqual(['resume/draft'])
    repo.write('README.md', '# Readme\n')
    const output = await run({ path: 'README.md' })
    expect(output.accepted).toBe(false)
    expect(codesOf(output)).toContain('handoff-document/required-sections')
  })

  test('is refused for a faulty block in it', async () => {
    const path = repo.handoff('a', 2, {
      extra: '\n```yaml\nsession_context:\n  schema_version: 1\n```\n',
    })
    expect((await run({ path })).accepted).toBe(false)
  })

  test.each([
    ['gone.md', 'not-found'],
    ['handoffs', 'usage'],
    ['../elsewhere.md', 'usage'],
    ['outside.md', 'usage'],
  ])('%s: %s', async (path, code) => {
    repo.handoff('a', 2)
    symlinkSync('/etc/hostname', join(repo.root, 'outside.md'))
    await expect(run({ path })).rejects.toMatchObject({ code })
  })

  test('that was carried on already may be resumed, but that is said', async () => {
    const path = repo.handoff('a', 3)
    const after = repo.handoff('b', 2, { before: path })
    const output = await run({ path })
    expect(output.accepted).toBe(true)
    expect(output.diagnostics).toMatchObject([{ code: 'resume/continued', path: after }])
  })
})

test('steps are taken in one order, and none after the one that refuses', async () => {
  const first = repo.handoff('a', 82, { before: 'gone.md' })
  const path = repo.handoff('b', 80, { before: first, checklist: '- `touch made`' })
  const checks = { runChecks: true, yes: true }
  const taken = async (input: Input) =>
    (await run({ path, ...checks, ...input })).steps.map(
      ({ step, outcome }) => `${step} ${outcome}`,
    )
  const untaken = ['references', 'branch', 'checks', 'brief'].map(step => `${step} not-taken`)
  expect(await taken({})).toEqual([
    ...['validate passed', 'classify refused', 'load not-taken', 'chain not-taken'],
    ...untaken,
  ])
  expect(await taken(VERIFIED)).toEqual([
    ...['validate passed', 'classify caution', 'load passed', 'chain refused'],
    ...untaken,
  ])
  expect(existsSync(join(repo.root, 'made'))).toBe(false)
})

describe('the chain', () => {
  test('must hold to its beginning', async () => {
    const first = repo.handoff('a', 5, { before: 'gone.md' })
    const second = repo.handoff('b', 4, { before: first })
    repo.handoff('c', 3, { before: second })
    const output = await run()
    expect(output.accepted).toBe(false)
    expect(output.diagnostics).toMatchObject([{ code: 'lineage/missing', path: first }])
    expect(stepsOf(output)).toMatchObject({ load: 'passed', chain: 'refused', brief: 'not-taken' })
  })

  test('of others does not matter', async () => {
    repo.handoff('a', 5, { before: 'gone.md' })
    repo.handoff('b', 4)
    expect((await run()).accepted).toBe(true)
  })
})

test('a folder of local state that is a link is refused, and nothing is written through it', async () => {
  repo.handoff('a', 80)
  repo.write('elsewhere/keep', '')
  symlinkSync('elsewhere', join(repo.root, '.waybill'))
  await expect(run(VERIFIED)).rejects.toMatchObject({ code: 'exists' })
  expect(readdirSync(join(repo.root, 'elsewhere'))).toEqual(['keep'])
})

test('what the baseline excuses in a check does not refuse a resume', async () => {
  const path = repo.handoff('one', 1, { evidence: '- `src/gone.ts`: gone' })
  expect((await run()).accepted).toBe(false)
  await check.run({ baseline: true }, repo.app())
  expect(await run()).toMatchObject({ accepted: true, handoff: { path } })
})
