import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { ADAPTERS } from '../hooks/index.ts'
import doctor from './doctor.ts'
import init from './init.ts'

let repo: TestFolder
beforeEach(() => {
  repo = openTestFolder()
})
afterEach(() => repo.remove())

const run = (agent: string) => init.run({ agent }, repo.app())
const program = (path: string, script: string) => {
  repo.write(path, `#!/bin/sh\n${script}\n`)
  chmodSync(join(repo.root, path), 0o755)
}

const items = async (environment?: Record<string, string>) =>
  (await doctor.run({}, repo.app(environment ? { environment } : {}))).items.filter(
    ({ name }) => name in ADAPTERS,
  )

test('doctor has an item for each agent that is installed, and says whether the program on the path runs', async () => {
  expect(await items()).toEqual([])
  await run('codex')
  await run('opencode')
  program('bin/waybill', 'echo 9.9.9')
  const found = await items({ PATH: `${join(repo.root, 'bin')}:/usr/bin:/bin` })
  expect(found.map(({ name, status, message }) => [name, status, message])).toEqual([
    ['opencode', 'ok', 'hooks installed; they start waybill 9.9.9'],
    ['codex', 'ok', 'hooks installed; they start waybill 9.9.9'],
  ])
  // npm puts programs on the path that agents do not have.
  program('x/node_modules/.bin/waybill', 'echo 9.9.9')
  const [missing] = await items({ PATH: `${repo.root}/x/node_modules/.bin:/usr/bin:/bin` })
  expect(missing).toMatchObject({
    status: 'error',
    message: expect.stringContaining('do not run'),
  })
})

test('doctor does not run the program of a repository, and names settings that cannot be read', async () => {
  program('node_modules/.bin/waybill', `touch "${repo.root}/ran"`)
  repo.write('node_modules/waybill/package.json', '{ "version": "7.7.7" }')
  await run('claude-code')
  expect(await items({ PATH: '/usr/bin:/bin' })).toMatchObject([
    { status: 'ok', message: 'hooks installed; they start waybill 7.7.7' },
  ])
  expect(existsSync(join(repo.root, 'ran'))).toBe(false)
  repo.write('.mcp.json', '{')
  expect(await items()).toMatchObject([
    { status: 'error', message: expect.stringContaining('.mcp.json cannot be merged') },
  ])
})

test.each([
  ['claude-code', '.claude/settings.json', 'PreToolUse'],
  ['codex', '.codex/hooks.json', 'PreToolUse'],
  ['gemini-cli', '.gemini/settings.json', 'BeforeTool'],
])(
  'the command of %s finds the program of the repository from any folder, with spaces in its path',
  async (agent, path, event) => {
    const root = join(repo.root, 'a folder')
    repo.write('a folder/sub/x', '')
    repo.write('a folder/node_modules/.bin/waybill', '#!/bin/sh\necho "$@"\n')
    chmodSync(join(root, 'node_modules/.bin/waybill'), 0o755)
    execFileSync('git', ['init', '-q'], { cwd: root })
    await init.run({ agent }, { ...repo.app(), root, cwd: root })
    const { command } = JSON.parse(readFileSync(join(root, path), 'utf8')).hooks[event][0].hooks[0]
    const projects = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR'].map(name => `${name}=${root}`)
    const answer = execFileSync('env', [...projects, 'sh', '-c', command], {
      cwd: join(root, 'sub'),
      encoding: 'utf8',
    })
    expect(answer).toBe(`hook ${agent} ${event}\n`)
  },
)

test('init says what is missing where the hooks would find no program, as after npx', async () => {
  program('npx/node_modules/.bin/waybill', 'true')
  program('bin/waybill', 'true')
  const notes = async (...folders: readonly string[]) => {
    const PATH = folders.map(folder => join(repo.root, folder)).join(':')
    return (await init.run({ agent: 'codex' }, repo.app({ environment: { PATH } }))).notes
  }
  expect(await notes('npx/node_modules/.bin')).toEqual([
    expect.stringContaining('/hooks'),
    expect.stringMatching(/^The hooks do not run yet.*npm install --save-dev waybill/),
  ])
  expect(await notes('npx/node_modules/.bin', 'bin')).toEqual([])
})
