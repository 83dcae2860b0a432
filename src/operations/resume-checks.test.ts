import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HandoffRepository, openHandoffRepository } from '../../test/handoff-repository.ts'
import { codesOf, recordsOf, resumeIn } from '../../test/resuming.ts'
import { text } from '../cli/render/resume.ts'
import { style } from '../cli/terminal.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

type Input = Parameters<typeof resumeIn>[1]
const run = (input: Input = {}, more: Parameters<typeof resumeIn>[2] = {}) =>
  resumeIn(repo, input, more)

describe('the checklist', () => {
  const checklist = '- [ ] `echo one > made` writes\n- [ ] the page looks right\n- `test -f made`'
  const made = () => readdirSync(repo.root).includes('made')

  test('is not run unless a person wants it', async () => {
    repo.handoff('a', 2, { checklist })
    const output = await run()
    expect(output.checks.map(c => c.outcome)).toEqual(['not-run', 'not-run', 'not-run'])
    expect(made()).toBe(false)
  })

  test('is shown, then run in its order', async () => {
    repo.handoff('a', 2, { checklist })
    const lines: string[] = []
    const output = await run({ runChecks: true, yes: true }, { tell: line => lines.push(line) })
    expect(output.checks).toMatchObject([
      { command: 'echo one > made', outcome: 'passed', exitCode: 0, output: '' },
      { command: null, outcome: 'not-run' },
      { command: 'test -f made', outcome: 'passed' },
    ])
    expect(lines[0]).toContain('$ echo one > made\n  $ test -f made')
    expect(output).toMatchObject({ accepted: true, brief: expect.any(String) })
  })

  test('needs a yes where no terminal can be asked; a terminal is asked for each', async () => {
    repo.handoff('a', 2, { checklist })
    await expect(run({ runChecks: true })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('echo one > made'),
    })
    expect(made()).toBe(false)
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return asked.length === 1 ? 'n' : 'y'
    }
    const output = await run({ runChecks: true }, { ask })
    expect(asked).toHaveLength(2)
    expect(made()).toBe(false)
    expect(output.checks.map(c => c.outcome)).toEqual(['declined', 'not-run', 'failed'])
  })

  test('one that fails refuses the handoff, and shows what it printed', async () => {
    repo.handoff('a', 2, { checklist: '- `echo no luck; exit 4`' })
    const output = await run({ runChecks: true, yes: true })
    expect(output).toMatchObject({ accepted: false, brief: null })
    expect(codesOf(output)).toEqual(['resume/check-failed'])
    const shown = text(output, style(false), repo.app(), false)
    expect(shown).toContain('✗ $ echo no luck; exit 4\n      no luck')
    expect(recordsOf(repo, 'resume-refused')).toMatchObject([{ codes: ['resume/check-failed'] }])
  })

  test('one that takes too long ends', async () => {
    repo.handoff('a', 2, { checklist: '- `sleep 60`' })
    const output = await run({ runChecks: true, yes: true, timeout: 1 })
    expect(output.checks).toMatchObject([{ outcome: 'timed-out', exitCode: null }])
    expect(output.accepted).toBe(false)
  })

  test('what cannot be shown as it is is not run', async () => {
    repo.handoff('a', 2, { checklist: '- `echo\u202e made > made`' })
    const output = await run({ runChecks: true, yes: true })
    expect(output.checks).toMatchObject([{ outcome: 'refused' }])
    expect(made()).toBe(false)
  })

  test('a stale document has nothing run', async () => {
    repo.handoff('a', 80, { checklist })
    expect((await run({ runChecks: true, yes: true })).accepted).toBe(false)
    expect(made()).toBe(false)
  })
})

describe('those who resume', () => {
  test('see each other, unless they are the same session', async () => {
    repo.handoff('a', 2)
    await run({ as: 'codex', session: 's-1' })
    const output = await run({ as: 'claude', session: 's-2' })
    expect(output).toMatchObject({ accepted: true, others: [{ by: 'codex', session: 's-1' }] })
    expect(output.diagnostics).toMatchObject([
      { code: 'resume/also-resumed', message: expect.stringContaining("'codex'") },
    ])
    const again = await run({ as: 'codex', session: 's-1' })
    expect(again.others).toHaveLength(2)
    const alone = await run({ as: 'x', session: 's-1', path: repo.handoff('b', 1) })
    expect(codesOf(alone)).toEqual([])
  })

  test('see each other though they resume in the same millisecond under the same name', async () => {
    repo.handoff('a', 2)
    await run({ as: 'codex' })
    expect((await run({ as: 'codex' })).others).toHaveLength(1)
  })
})
