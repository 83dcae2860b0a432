import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import checkOperation from '../../operations/check.ts'
import { style } from '../terminal.ts'
import * as checkText from './check.ts'
import * as showText from './show.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
})
afterEach(() => box.remove())

async function shown(quiet = false): Promise<string> {
  const app = box.app()
  return checkText.text(await checkText.forPeople({}, app), style(false), app, quiet)
}

test('from the fourth fault of a kind on only places are printed', async () => {
  const findings = Array.from({ length: 6 }, (_, i) => `{ "id": "KF-${i}", "summary": "x" }`)
  box.write('a.json', JSON.stringify(JSON.parse(SOUND)).replace(/\[.*\]/, `[${findings.join()}]`))
  const text = await shown()
  expect(text.match(/does not have the required form/g)).toHaveLength(3)
  expect(text).toMatch(/and 3 more like it: 1:\d+, 1:\d+, 1:\d+\n/)
  expect(text).toContain('(6 errors, 0 warnings)')
})

test('where there are sound templates of missions and no documents, it is said that they were read', async () => {
  box.write(
    'waybill.yaml',
    'missions: { orchestrator: o, roles: { worker: w }, runners: { w: { runner: human } } }\n',
  )
  expect(await shown()).toBe(
    'no documents found: there is no JSON, YAML or Markdown file to check\n  next: waybill handoff',
  )
  box.write(
    'missions/templates/prompts/count/v1.yaml',
    'role_type: worker\nsystem_prompt: You count.\ntask_prompt: Count.\nmodel_route: default\n',
  )
  expect(await shown()).toBe('✓ 1 mission or prompt template valid, no documents found')
})

test('the reason of a rule is given once', async () => {
  const faulty = JSON.stringify(JSON.parse(SOUND)).replace('ps-researcher', 'nse-architect')
  box.write('a.json', faulty)
  box.write('b.json', faulty)
  expect((await shown()).match(/why: /g)).toHaveLength(1)
})

test('of many infos of one code, five are printed and the others counted', async () => {
  const keys = Array.from({ length: 8 }, (_, i) => `own_${i}: 1\n`).join('')
  box.write('ORCHESTRATION.yaml', `${keys}pipelines: {}\n`)
  const text = await shown()
  expect(text.match(/unknown key 'own_/g)).toHaveLength(5)
  expect(text).toContain('info[schema/additional-properties] 3 more; --format json lists them')
  expect(await shown(true)).not.toContain('info[')
})

test('what an author has excused is printed with the reason, what the baseline has is counted', async () => {
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

test('a file of a folder that may have been meant is named; what is of other tools is not', async () => {
  box.write('a.json', SOUND)
  box.write('plan.yaml', 'workflow_id: x\nbarriers: {}\n')
  box.write('package-lock.json', '{"name": "x", "lockfileVersion": 3, "packages": {}}')
  const text = await shown()
  expect(text).toContain(
    'skipped plan.yaml: it has keys of the orchestration contract, but its name and content do not identify it\n  next: waybill check plan.yaml\n',
  )
  expect(text).not.toContain('package-lock')
  expect(text).toContain('✓ 1 document accepted')
  expect(await shown(true)).toContain('skipped plan.yaml')
})

const OVER = 'skipped a.yaml: it has keys of the'

test.each([
  ['a list of contexts', `[${FAULTY}]`, `${OVER} session-context`],
  ['keys in camel case', camelCase(FAULTY), `${OVER} session-context`],
  ['a root key in lower case', 'session_state: {Phase: 4}', `${OVER} session-state`],
  ['a root key in camel case', 'SessionState: {Phase: 4}', `${OVER} session-state`],
])('of %s is said that it was passed over; named, it is at fault', async (_, text, said) => {
  box.write('a.yaml', text)
  expect(await shown()).toContain(said)
  const { documents } = await checkOperation.run({ paths: ['a.yaml'] }, box.app())
  expect(documents.map(d => d.accepted)).toEqual([false])
})

test.each(["'", '“', '”'])('JSON in quotes like %s is a document, and at fault', async quote => {
  box.write('a.json', FAULTY.replaceAll('"', quote))
  expect(await shown()).toContain('✗ a.json  session-context v1')
})

function camelCase(text: string): string {
  return text.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

test('an info says what to do, the same thing once', async () => {
  box.write('ORCHESTRATION.yaml', 'own: 1\nother: 1\npiplines: {}\npipelines: {}\n')
  const infos = (await shown()).split('\n').filter(line => line.startsWith('info['))
  expect(infos.map(line => line.replace('info[schema/additional-properties] ', ''))).toEqual([
    "unknown key 'own'; it is kept but not checked ORCHESTRATION.yaml:1:1",
    "unknown key 'other' ORCHESTRATION.yaml:2:1",
    "unknown key 'piplines'; did you mean 'pipelines'? ORCHESTRATION.yaml:3:1",
  ])
})

test('a file that is called like a block of another one keeps its name, a block gives its file', async () => {
  box.write('q.md#L3', FAULTY)
  box.write('p.md', `# A\n\n\`\`\`json\n${FAULTY}\n\`\`\`\n`)
  const app = box.app()
  const output = await checkText.forPeople({ paths: ['p.md', 'q.md#L3'] }, app)
  expect(output.documents.map(d => d.path)).toEqual(['p.md#L3', 'q.md#L3'])
  const text = checkText.text(output, style(false), app, false)
  expect(text.match(/─ \S+|✗ \S+\.md\S*/g)).toEqual([
    expect.stringMatching(/^─ p\.md:4:/),
    '✗ p.md#L3',
    expect.stringMatching(/^─ q\.md#L3:1:/),
    '✗ q.md#L3',
  ])
  const { github, sarif } = checkText.formats
  expect((await github(output, app)).match(/file=[^,]+/g)).toEqual(['file=p.md', 'file=q.md#L3'])
  expect((await sarif(output, app)).match(/"uri": "[^"]+"/g)).toEqual([
    '"uri": "p.md"',
    '"uri": "q.md%23L3"',
  ])
})

test('show puts the frames of a file into it, whatever its name', async () => {
  box.write('a#b.md#L3', FAULTY)
  const app = box.app()
  const view = await showText.forPeople({ path: 'a#b.md#L3' }, app)
  expect(showText.text(view, style(false), app)).toContain('─ a#b.md#L3:1:')
})

test('show fills the lines of a paragraph, however its author broke them', async () => {
  const path = 'handoffs/20260531T120000Z-one.md'
  const said = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
  const broken = [...said, ...said, '', '- a', '- b'].join('\n')
  const text = `---\nschema: govzero.handoff.v1\ntitle: x\n---\n\n# x\n\n## Goal\n\n${broken}\n`
  box.write(path, text)
  const app = box.app()
  const view = await showText.forPeople({ path }, app)
  const lines = showText.text(view, style(false), app).split('\n')
  expect(lines).toContain(`  ${[...said, ...said.slice(0, 3)].join(' ')}`)
  expect(lines).toContain('  - a')
})
