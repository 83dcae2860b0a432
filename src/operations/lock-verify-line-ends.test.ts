import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AgentsFolder, domainIds, openAgentsFolder } from '../../test/agents-folder.ts'
import { text } from '../cli/render/lock.ts'
import lock, { lockForPeople } from './lock.ts'
import verify from './lock-verify.ts'

let folder: AgentsFolder
beforeEach(async () => {
  folder = openAgentsFolder()
  await lock.run({}, folder.app())
})
afterEach(() => folder.remove())

const run = () => verify.run({}, folder.app())

/** Git without any settings. */
const git = (...given: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...given], {
    cwd: folder.root,
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
    },
    stdio: 'pipe',
  }).toString()

test('a prompt that differs in its line ends alone says so, and how to get it back', async () => {
  const id = domainIds(1)[0] ?? ''
  const path = `agents/${folder.lock().prompts[id]?.file}`
  const lines = readFileSync(join(folder.root, path), 'utf8')
  folder.write(path, lines.replaceAll('\n', '\r\n'))
  const { accepted, counts, agents } = await run()
  expect([accepted, counts.changed]).toEqual([false, 1])
  const [fault] = agents[0]?.diagnostics ?? []
  expect(fault?.message).toContain('CRLF line ends but was locked with LF')
  const name = path.slice(path.lastIndexOf('/') + 1)
  expect(fault?.hint).toBe(
    `write '${name} -text' into a .gitattributes in its folder; then delete the file, restore it with git checkout -- ${path}, and only then commit`,
  )
  folder.write(path, `${lines.replaceAll('\n', '\r\n')}x`)
  expect((await run()).agents[0]?.diagnostics[0]?.message).toContain('has changed since')
})

test('a prompt that was locked with CRLF, and has LF, says so', async () => {
  const id = domainIds(1)[0] ?? ''
  const path = `agents/${folder.lock().prompts[id]?.file}`
  folder.write(path, 'One\r\ntwo\r\n')
  await lock.run({}, folder.app())
  folder.write(path, 'One\ntwo\n')
  const [fault] = (await run()).agents[0]?.diagnostics ?? []
  expect(fault?.message).toContain('has LF line ends but was locked with CRLF')
  expect(fault?.hint).toContain('lock it again')
})

test('the way to the committed line ends commits no others, whatever is staged', async () => {
  const id = domainIds(1)[0] ?? ''
  const path = `agents/${folder.lock().prompts[id]?.file}`
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'one')
  git('config', 'core.autocrlf', 'true')
  rmSync(join(folder.root, path))
  git('checkout', '--', path)
  const hint = (await run()).agents[0]?.diagnostics[0]?.hint ?? ''
  const [, line = ''] = /'(.*)'/.exec(hint) ?? []
  folder.write(`${path.slice(0, path.lastIndexOf('/'))}/.gitattributes`, `${line}\n`)
  rmSync(join(folder.root, path))
  git('checkout', '--', path)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'two')
  expect(git('show', `HEAD:${path}`)).not.toContain('\r')
  expect((await run()).agents).toEqual([])
})

test('a prompt with mixed line ends that was locked with LF is not said to have CRLF', async () => {
  const id = domainIds(1)[0] ?? ''
  const path = `agents/${folder.lock().prompts[id]?.file}`
  folder.write(path, 'One\ntwo\n')
  await lock.run({}, folder.app())
  folder.write(path, 'One\r\ntwo\n')
  const [fault] = (await run()).agents[0]?.diagnostics ?? []
  expect(fault?.message).toContain('has mixed line ends but was locked with LF')
})

describe('whom lock warns that it pins line ends which others may not get', () => {
  const [PATH, CRLF, MIXED] = ['agents/domains/domain-00002.md', 'One\r\ntwo\r\n', 'One\r\ntwo\n']

  test.each([
    ['*.md -text', CRLF, []],
    ['*.md binary', MIXED, []],
    ['*.md text eol=crlf', CRLF, []],
    ['*.md text eol=crlf', MIXED, [{ path: PATH, ends: 'mixed', checkout: 'CRLF' }]],
    ['*.md text eol=lf', CRLF, [{ path: PATH, ends: 'CRLF', checkout: 'LF' }]],
    ['*.md text', CRLF, [{ path: PATH, ends: 'CRLF', checkout: null }]],
    ['*.txt -text', MIXED, [{ path: PATH, ends: 'mixed', checkout: null }]],
  ])('by %j', async (rule, bytes, warned) => {
    git('init', '--quiet')
    folder.write('.gitattributes', `${rule}\n`)
    folder.write(PATH, bytes)
    expect((await lock.run({ dryRun: true }, folder.app())).lineEnds).toEqual(warned)
  })

  test('what is said is true of what Git then does', async () => {
    git('init', '--quiet')
    folder.write('.gitattributes', '*.md text eol=crlf\n')
    folder.write(PATH, CRLF)
    const quiet = await lock.run({}, folder.app())
    git('add', '--all')
    git('commit', '--quiet', '--message', 'one')
    rmSync(join(folder.root, PATH))
    git('checkout', '--', PATH)
    expect(quiet.lineEnds).toEqual([])
    expect(readFileSync(join(folder.root, PATH), 'utf8')).toBe(CRLF)
    folder.write('.gitattributes', '*.md text eol=lf\n')
    folder.write(PATH, `${CRLF}three\r\n`)
    const output = await lockForPeople({}, folder.app())
    const said = text(output, (_, word) => word, folder.app(), true).replace(/\s+/g, ' ')
    expect(said).toContain(
      `! locked with CRLF line ends: ${PATH}; .gitattributes makes Git check them out with LF`,
    )
    git('add', '--all')
    git('commit', '--quiet', '--message', 'two')
    rmSync(join(folder.root, PATH))
    git('checkout', '--', PATH)
    const [fault] = (await run()).agents[0]?.diagnostics ?? []
    expect(fault?.message).toContain('has LF line ends but was locked with CRLF')
  })
})
