import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentsFolder, domainIds, openAgentsFolder } from '../../test/agents-folder.ts'
import lock from './lock.ts'
import verify from './lock-verify.ts'

let folder: AgentsFolder
beforeEach(async () => {
  folder = openAgentsFolder()
  await lock.run({}, folder.app())
})
afterEach(() => folder.remove())

const run = () => verify.run({}, folder.app())

test('a prompt that differs in its line ends alone says so, and how to get it back', async () => {
  const id = domainIds(1)[0] ?? ''
  const path = `agents/${folder.lock().prompts[id]?.file}`
  const lines = readFileSync(join(folder.root, path), 'utf8')
  folder.write(path, lines.replaceAll('\n', '\r\n'))
  const { accepted, counts, agents } = await run()
  expect([accepted, counts.changed]).toEqual([false, 1])
  const [fault] = agents[0]?.diagnostics ?? []
  expect(fault?.message).toContain('CRLF line ends, and was locked with LF')
  const name = path.slice(path.lastIndexOf('/') + 1)
  expect(fault?.hint).toBe(
    `write '${name} -text' into a .gitattributes beside it; then delete the file, and bring it back with git checkout -- ${path}; only then commit`,
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
  expect(fault?.message).toContain('has LF line ends, and was locked with CRLF')
  expect(fault?.hint).toContain('lock it anew')
})

test('the way to the committed line ends commits no others, whatever is staged', async () => {
  const id = domainIds(1)[0] ?? ''
  const path = `agents/${folder.lock().prompts[id]?.file}`
  const git = (...given: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...given], {
      cwd: folder.root,
      stdio: 'pipe',
    }).toString()
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
