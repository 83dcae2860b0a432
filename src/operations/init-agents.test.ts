import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asPlainUser } from '../../test/plain-user.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { ADAPTERS } from '../hooks/index.ts'
import doctor from './doctor.ts'
import init from './init.ts'

const AGENTS = Object.keys(ADAPTERS)

let repo: TestFolder
beforeEach(() => {
  repo = openTestFolder()
})
afterEach(() => repo.remove())

type Given = Parameters<typeof init.run>[0]
const run = (agent: string, more: Given = {}) => init.run({ agent, ...more }, repo.app())
const remove = (agent: string) => run(agent, { remove: true })
const read = (path: string) => readFileSync(join(repo.root, path), 'utf8')
const json = (path: string) => JSON.parse(read(path))

/** Every file with its text, without what init makes in any case. */
function files(): Record<string, string> {
  const found = readdirSync(repo.root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(repo.root.length + 1))
    .filter(path => !/^(?:\.waybill\/|\.git\/|\.gitignore$|waybill\.yaml$)/.test(path))
  return Object.fromEntries(found.sort().map(path => [path, read(path)]))
}

describe.each(AGENTS)('%s', agent => {
  test('an empty repository gets every file, a second run changes none, and removal leaves none', async () => {
    const { steps, notes } = await run(agent)
    expect(notes).toHaveLength(1)
    const made = files()
    for (const { path, action } of steps.slice(4))
      expect([action, made[path] !== undefined]).toEqual(['created', true])
    const again = await run(agent)
    expect(new Set(again.steps.map(({ action }) => action))).toEqual(new Set(['kept']))
    expect(files()).toEqual(made)
    const removed = await remove(agent)
    expect(new Set(removed.steps.map(({ action }) => action))).toEqual(new Set(['removed']))
    expect(readdirSync(repo.root).sort()).toEqual(['.gitignore', '.waybill', 'waybill.yaml'])
    expect((await remove(agent)).steps).toEqual([])
  })

  test('a dry run writes nothing, and its differences are what is then done', async () => {
    repo.write('AGENTS.md', '# Ours\n\nText without a last line end')
    repo.write('opencode.json', '{\n\t"theme": "x",\n\t"mcp": { "other": {} }\n}\n')
    repo.write('.claude/settings.json', '{ "model": "x" }')
    const before = files()
    const { steps } = await run(agent, { dryRun: true })
    expect(files()).toEqual(before)
    expect(existsSync(join(repo.root, 'waybill.yaml'))).toBe(false)
    const patch = steps.map(({ diff = '' }) => `${diff}\n`).join('')
    repo.write('change.patch', patch)
    execFileSync('git', ['apply', '--unsafe-paths', 'change.patch'], { cwd: repo.root })
    rmSync(join(repo.root, 'change.patch'))
    const patched = files()
    const done = await run(agent)
    expect(new Set(done.steps.slice(4).map(({ action }) => action))).toEqual(new Set(['kept']))
    expect(files()).toEqual(patched)
  })
})

const FOREIGN = {
  'with other settings': '{\n  "model": "x",\n  "env": { "A": "b" }\n}\n',
  'in four spaces with CRLF': '{\r\n    "model": "x",\r\n    "list": [1]\r\n}\r\n',
  'in tabs without a last line end': '{\n\t"model": "x"\n}',
  'in one line': '{"model":"x","hooks":{"Other":[{"hooks":[]}]}}',
  'with a byte order mark': '\ufeff{\n  "model": "x"\n}\n',
  'with hooks of others':
    '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }\n    ],\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "waybillish hook x y" }] }\n    ]\n  },\n  "model": "x"\n}\n',
  'that are empty': '{}\n',
  'with a space': '{ }',
  'with empty parts': '{\n  "hooks": { "Stop": [] },\n  "mcpServers": {},\n  "mcp": { }\n}\n',
  'with other servers':
    '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  },\n  "mcp": { "o": {} }\n}\n',
}
const SETTINGS = [
  '.claude/settings.json',
  '.mcp.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  'opencode.json',
]

describe.each(Object.entries(FOREIGN))('settings %s', (_, text) => {
  test('stay: ours come after them, once, and leave no byte behind', async () => {
    for (const path of SETTINGS) repo.write(path, text)
    await run('all')
    const made = files()
    for (const path of SETTINGS) {
      const [merged, before] = [made[path] ?? '', JSON.parse(text.replace('\ufeff', ''))]
      expect(merged).not.toBe(text)
      const value = JSON.parse(merged.replace('\ufeff', ''))
      expect(Object.keys(value).slice(0, Object.keys(before).length)).toEqual(Object.keys(before))
      for (const [event, groups] of Object.entries<unknown[]>(before.hooks ?? {}))
        expect(value.hooks[event].slice(0, groups.length)).toEqual(groups)
      expect(merged.includes('\r\n')).toBe(text.includes('\r\n'))
    }
    await run('all')
    expect(files()).toEqual(made)
    await remove('all')
    expect(files()).toEqual(Object.fromEntries(SETTINGS.toSorted().map(path => [path, text])))
  })
})

test.each([['# Ours\n'], ['# Ours'], ['# Ours\r\n\r\nText\r\n'], ['\n\n'], ['Text\n\n\n']])(
  'instructions %j stay, and leave no byte behind',
  async text => {
    for (const path of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']) repo.write(path, text)
    await run('all')
    for (const path of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']) {
      expect(read(path).startsWith(text)).toBe(true)
      expect(read(path).match(/waybill:begin/g)).toHaveLength(1)
    }
    await remove('all')
    for (const path of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']) expect(read(path)).toBe(text)
  },
)

test('text after our part stays when the part is renewed and removed', async () => {
  await run('codex')
  repo.write(
    'AGENTS.md',
    `# Above\n\n${read('AGENTS.md').replace('Start with', 'Begin with')}\n# Below\n`,
  )
  const { steps } = await run('codex')
  expect(steps.find(({ path }) => path === 'AGENTS.md')?.action).toBe('changed')
  expect(read('AGENTS.md')).toContain('Start with')
  await remove('codex')
  expect(read('AGENTS.md')).toBe('# Above\n\n# Below\n')
})

test.each([
  ['comments', '.claude/settings.json', '{\n  // mine\n  "model": "x"\n}\n', 'comments'],
  ['a comma too many', '.mcp.json', '{ "mcpServers": {}, }', 'plain JSON'],
  ['a list', '.claude/settings.json', '[]', 'not a JSON object'],
  ['hooks that are a list', '.claude/settings.json', '{ "hooks": [] }', 'hooks is not an object'],
  [
    'an event that is no list',
    '.claude/settings.json',
    '{ "hooks": { "Stop": {} } }',
    'hooks.Stop is not a list',
  ],
  [
    'a skill that is not ours',
    '.claude/skills/waybill-rules/SKILL.md',
    '# Mine\n',
    'was not written by',
  ],
  ['one marker of two', 'AGENTS.md', '<!-- waybill:begin -->\n', 'do not mark exactly one part'],
])('%s: refused by name, before anything is written', async (_, path, text, why) => {
  repo.write(path, text)
  for (const agent of ['claude-code', 'all'])
    await expect(run(agent)).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')}.*${why}`)),
      hint: expect.stringContaining('nothing was written'),
    })
  expect(files()).toEqual({ [path]: text })
  expect(existsSync(join(repo.root, 'waybill.yaml'))).toBe(false)
})

test('a link out of the repository, a broken one and a folder in the place of a file are refused', async () => {
  const outside = openTestFolder()
  outside.write('settings.json', '{}')
  const places = [
    ['.claude', outside.root],
    ['.mcp.json', join(outside.root, 'settings.json')],
    ['.mcp.json', join(outside.root, 'none')],
    ['AGENTS.md', 'none'],
  ] as const
  for (const [path, target] of places) {
    symlinkSync(target, join(repo.root, path))
    await expect(run('claude-code')).rejects.toMatchObject({ code: 'input-output' })
    expect(readdirSync(repo.root)).toEqual([path])
    rmSync(join(repo.root, path))
  }
  expect(readdirSync(outside.root)).toEqual(['settings.json'])
  outside.remove()
  mkdirSync(join(repo.root, 'AGENTS.md'))
  await expect(run('codex')).rejects.toMatchObject({ message: 'AGENTS.md is not a file' })
})

test('a failure while writing takes back what was written', () => {
  repo.write('.codex/hooks.json', '{}\n')
  mkdirSync(join(repo.root, '.agents'))
  chmodSync(join(repo.root, '.agents'), 0o500)
  const before = files()
  try {
    expect(asPlainUser(repo.root, 'init', '--agent', 'codex').status).toBe(2)
    expect(files()).toEqual(before)
  } finally {
    chmodSync(join(repo.root, '.agents'), 0o700)
  }
})

test('CLAUDE.md that is a link to AGENTS.md, or imports it, gets no second part', async () => {
  repo.write('AGENTS.md', '# Ours\n')
  symlinkSync('AGENTS.md', join(repo.root, 'CLAUDE.md'))
  await run('claude-code')
  expect(read('AGENTS.md').match(/waybill:begin/g)).toHaveLength(1)
  expect(lstatSync(join(repo.root, 'CLAUDE.md')).isSymbolicLink()).toBe(true)
  await remove('claude-code')
  expect(read('AGENTS.md')).toBe('# Ours\n')
  rmSync(join(repo.root, 'CLAUDE.md'))
  repo.write('CLAUDE.md', '@AGENTS.md\n')
  await run('claude-code')
  expect(read('CLAUDE.md')).toBe('@AGENTS.md\n')
})

test('what agents share stays until the last one goes', async () => {
  await run('all')
  const { steps } = await remove('codex')
  const kept = steps.filter(({ action }) => action === 'kept')
  expect(kept.map(({ path }) => path)).toContain('AGENTS.md')
  expect(kept[0]?.note).toBe('used by OpenCode and Gemini CLI')
  expect(existsSync(join(repo.root, '.codex'))).toBe(false)
  for (const agent of ['gemini-cli', 'claude-code']) await remove(agent)
  expect(Object.keys(files())).toEqual(
    expect.arrayContaining(['.agents/skills/waybill-rules/SKILL.md', 'AGENTS.md']),
  )
  await remove('opencode')
  expect(files()).toEqual({})
})

test('servers and hooks that the user changed are theirs', async () => {
  const own = { command: 'waybill', args: ['mcp', '--root', 'x'] }
  repo.write('.mcp.json', `${JSON.stringify({ mcpServers: { waybill: own } })}\n`)
  repo.write('.codex/config.toml', '[mcp_servers.waybill]\ncommand = "x"\n')
  await run('all')
  expect(json('.mcp.json').mcpServers.waybill).toEqual(own)
  expect(read('.codex/config.toml')).toBe('[mcp_servers.waybill]\ncommand = "x"\n')
  // A hook of theirs next to ours, in the same group.
  const settings = json('.claude/settings.json')
  settings.hooks.Stop[0].hooks.push({ type: 'command', command: 'mine' })
  repo.write('.claude/settings.json', JSON.stringify(settings, null, 2))
  await remove('all')
  expect(json('.claude/settings.json')).toEqual({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
  })
})

test('a repository that depends on waybill starts its own, and a change between both renews the hooks', async () => {
  const command = () => json('.claude/settings.json').hooks.Stop[0].hooks[0].command
  await run('all')
  const before = files()
  expect(command()).toBe('waybill hook claude-code Stop')
  repo.write('package.json', '{ "devDependencies": { "waybill": "1" } }')
  const item = async (more = {}) =>
    (await doctor.run({}, repo.app(more))).items.find(({ name }) => name === 'claude-code')
  expect(await item()).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('.claude/settings.json'),
    remedy: 'run waybill init --agent claude-code',
  })
  await run('all')
  expect(command()).toBe('"$CLAUDE_PROJECT_DIR"/node_modules/.bin/waybill hook claude-code Stop')
  expect(json('.claude/settings.json').hooks.Stop).toHaveLength(1)
  expect(json('.mcp.json').mcpServers.waybill.command).toBe('npx')
  expect(await item()).toMatchObject({ status: 'error', remedy: 'run npm install' })
  rmSync(join(repo.root, 'package.json'))
  await run('all')
  expect(files()).toEqual(before)
})

test('the hooks of an event that this version does not have are removed, and foreign ones stay', async () => {
  const group = (command: string) => [{ hooks: [{ type: 'command', command, timeout: 9 }] }]
  const hooks = { Old: group('waybill hook codex Old'), Stop: group('waybill hook codex Stop') }
  repo.write('.codex/hooks.json', JSON.stringify({ hooks: { ...hooks, Other: group('mine') } }))
  await run('codex')
  const { Old, Other, Stop } = json('.codex/hooks.json').hooks
  expect([Old, Other, Stop]).toEqual([
    undefined,
    group('mine'),
    [{ hooks: [{ type: 'command', command: 'waybill hook codex Stop', timeout: 30 }] }],
  ])
})

test('--remove needs an agent', async () => {
  await expect(init.run({ remove: true }, repo.app())).rejects.toMatchObject({ code: 'usage' })
})
