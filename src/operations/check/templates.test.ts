import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import check, { checkForPeople } from '../check.ts'
import doctor from '../doctor.ts'

const CONFIG = `missions:
  orchestrator: orchestrator-desk
  roles: { worker: domain-counter }
  runners: { domain-counter: { runner: human } }
`
const SOUND = `title: Count
mission_type: count
defaults: { risk_level: low, sensitivity_class: internal_business }
tasks:
  - task_id: count
    role_type: worker
    objective: Count.
    success_criteria: [It is counted.]
prompts: { worker: count@v1 }
`
const PROMPT = `role_type: worker
system_prompt: You count.
task_prompt: "{{task.objective}}"
model_route: default
`
const AT = 'missions/templates/count.yaml'
const PROMPT_AT = 'missions/templates/prompts/count/v1.yaml'

const folders: TestFolder[] = []
let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folders.push(folder)
  folder.write('waybill.yaml', CONFIG)
  folder.write(AT, SOUND)
  folder.write(PROMPT_AT, PROMPT)
})
afterAll(() => {
  for (const one of folders) one.remove()
})

const found = async (paths?: readonly string[]) => {
  const { documents, summary } = await check.run(paths ? { paths } : {}, folder.app())
  const reported = documents.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ code, line, message }) => `${path}:${line} ${code} ${message}`),
  )
  return { reported, summary }
}

test('sound templates are passed over on a walk, and accepted where they are named', async () => {
  expect(await found()).toMatchObject({ reported: [], summary: { documents: 0, rejected: 0 } })
  expect(await found([AT, PROMPT_AT])).toMatchObject({ reported: [], summary: { accepted: 2 } })
})

test.each([
  [
    'a key that is none',
    AT,
    SOUND.replace('objective:', 'objecitve:'),
    7,
    /unknown key 'objecitve'/,
  ],
  [
    'a task that is not there',
    AT,
    SOUND.replace('role_type: worker', 'role_type: worker\n    depends_on: [nobody]'),
    7,
    /nobody/,
  ],
  ['what is no YAML', AT, `${SOUND}: {[`, 10, /./],
  ['prompts that are not there', AT, SOUND.replace('count@v1', 'count@v2'), 9, /count@v2/],
  [
    'a placeholder that is none',
    PROMPT_AT,
    PROMPT.replace('task.objective', 'task.aim'),
    3,
    /task\.aim/,
  ],
])('%s is reported in its place', async (_, path, text, line, says) => {
  folder.write(path, text)
  const { reported, summary } = await found()
  const own = reported.filter(one => one.startsWith(`${path}:${line} mission/template `))
  expect(own.join('\n')).toMatch(says)
  expect(summary.rejected).toBeGreaterThan(0)
  expect((await found([path])).summary.rejected).toBe(1)
  const people = await checkForPeople({}, folder.app())
  const [diagnostic] = people.documents.find(one => one.path === path)?.diagnostics ?? []
  expect(diagnostic?.excerpt).toBe(text.split('\n')[(diagnostic?.line ?? 0) - 1])
  const { items } = await doctor.run({}, folder.app())
  const missions = items.filter(({ name, status }) => name === 'missions' && status === 'warning')
  const words = missions.map(({ message }) => message).join('\n')
  expect(words).toContain(`${path}:${line}:`)
  expect(words).toMatch(new RegExp(`\\n +${line} \\| .*\\n +\\^`))
})

test('a tool that waybill.yaml does not name is reported where it names others', async () => {
  const misspelt = SOUND.replace(
    'role_type: worker',
    'role_type: worker\n    allowed_tools: [serch]',
  )
  folder.write(AT, misspelt)
  expect((await found()).reported).toEqual([])
  const servers = '  servers: { crm: { command: [crm] } }\n  tools: { search: { server: crm } }\n'
  folder.write('waybill.yaml', `${CONFIG}${servers}`)
  const message = "waybill.yaml has no tool 'serch', which 'count' allows"
  const { reported, summary } = await found()
  expect(reported).toEqual([`${AT}:7 mission/template-tool ${message}`])
  expect(summary).toMatchObject({ accepted: 1, rejected: 0, warnings: 1 })
  const { items } = await doctor.run({}, folder.app())
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{ name: 'missions', status: 'warning', message: `${AT}: ${message}` },
      remedy: "did you mean 'search'? If not, add it to missions.tools, or remove it",
    }),
  )
})

test.each([
  [AT, SOUND],
  [PROMPT_AT, PROMPT],
])('%s is no template where it is a link that leads out of the repository', async (path, text) => {
  const elsewhere = openTestFolder()
  folders.push(elsewhere)
  elsewhere.write('linked.yaml', text)
  rmSync(join(folder.root, path))
  symlinkSync(join(elsewhere.root, 'linked.yaml'), join(folder.root, path))
  const { reported, summary } = await found([path])
  expect(summary).toMatchObject({ accepted: 0, rejected: 1 })
  expect(reported.join('\n')).not.toContain('mission/template')
})

test('doctor counts sound templates', async () => {
  const { items } = await doctor.run({}, folder.app())
  expect(items.find(({ name }) => name === 'missions')).toMatchObject({
    status: 'ok',
    message: '1 template of missions, 1 of prompts',
  })
})

test.each(['missions/mine/', './missions/mine'])(
  'a folder may be written as %s',
  async templates => {
    folder.write('waybill.yaml', `${CONFIG}  templates: ${templates}\n`)
    folder.write('missions/mine/count.yaml', SOUND.replace('objective:', 'objecitve:'))
    folder.write('missions/mine/prompts/count/v1.yaml', PROMPT)
    const { reported } = await found()
    expect(reported.join('\n')).toContain('missions/mine/count.yaml:7 mission/template ')
    const { items } = await doctor.run({}, folder.app())
    const { message } = items.find(({ name }) => name === 'missions') ?? {}
    expect(message).toContain('missions/mine/count.yaml:7:')
  },
)

test('without missions nothing is a template', async () => {
  folder.write('waybill.yaml', 'people: claimed\n')
  folder.write(AT, SOUND.replace('objective:', 'objecitve:'))
  expect(await found()).toMatchObject({ reported: [], summary: { documents: 0 } })
})
