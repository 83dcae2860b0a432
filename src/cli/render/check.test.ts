import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import { style } from '../terminal.ts'
import * as checkText from './check.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
})
afterEach(() => box.remove())

async function shown(quiet = false): Promise<string> {
  const app = box.app()
  return checkText.text(await checkText.forPeople({}, app), style(false), app, quiet)
}

test('the fourth fault of a kind is told by its place alone', async () => {
  const findings = Array.from({ length: 6 }, (_, i) => `{ "id": "KF-${i}", "summary": "x" }`)
  box.write('a.json', JSON.stringify(JSON.parse(SOUND)).replace(/\[.*\]/, `[${findings.join()}]`))
  const text = await shown()
  expect(text.match(/does not have the required form/g)).toHaveLength(3)
  expect(text).toMatch(/and 3 more like it: 1:\d+, 1:\d+, 1:\d+\n/)
  expect(text).toContain('(6 errors, 0 warnings)')
})

test('the reason of a rule is given once', async () => {
  const faulty = JSON.stringify(JSON.parse(SOUND)).replace('ps-researcher', 'nse-architect')
  box.write('a.json', faulty)
  box.write('b.json', faulty)
  expect((await shown()).match(/why: /g)).toHaveLength(1)
})

test('of many infos of one code, five are told and the others counted', async () => {
  const keys = Array.from({ length: 8 }, (_, i) => `own_${i}: 1\n`).join('')
  box.write('ORCHESTRATION.yaml', `${keys}pipelines: {}\n`)
  const text = await shown()
  expect(text.match(/unknown key 'own_/g)).toHaveLength(5)
  expect(text).toContain(
    'info[schema/additional-properties] 3 more of these; --format json lists them',
  )
  expect(await shown(true)).not.toContain('info[')
})

test('what an author has excused is told with the reason, what the baseline has is counted', async () => {
  const allow = '<!-- waybill-allow secrets: an example -->'
  box.write(
    'handoffs/2026-02-11T14-30-00Z-x.md',
    `# x\n\n${allow}\ntoken = ${'abc123'.repeat(3)}\n`,
  )
  await checkText.forPeople({ baseline: true }, box.app())
  const text = await shown()
  expect(text).toContain(
    'excused handoff-document/no-secrets handoffs/2026-02-11T14-30-00Z-x.md:4: an example',
  )
  expect(text).not.toContain('in the baseline')
  expect(text).toMatch(/✓ 1 document accepted \(0 errors, 0 warnings, \d+ excused\)/)
})
