import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixturesOf } from '../fixture.ts'
import { openSandbox, type Sandbox, SOUND } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = openSandbox()
  git('init', '-q', '-b', 'main')
})
afterEach(() => box.remove())

const sound = JSON.stringify(SOUND)
const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@b']

function git(...args: readonly string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd: box.root, encoding: 'utf8', stdio: 'pipe' })
}

test('no program that the repository names is run', async () => {
  box.write('a.json', sound)
  box.write('b.json', sound)
  box.write('.gitattributes', '*.json filter=own diff=own merge=own\n*.md filter=own=\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  const trap = box.write('.git/trap', `#!/bin/sh\necho "$0 $*" >> '${box.root}/sprung'\ncat\n`)
  chmodSync(trap, 0o755)
  for (const hook of [
    'post-index-change',
    'pre-commit',
    'fsmonitor-watchman',
    'reference-transaction',
  ])
    chmodSync(box.write(`.git/hooks/${hook}`, readFileSync(trap)), 0o755)
  const settings = [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.sshCommand',
    'core.askPass',
    'credential.helper',
    'diff.external',
    'diff.own.command',
    'diff.own.textconv',
    'filter.own.clean',
    'filter.own.smudge',
    'filter.own.process',
    'gpg.program',
    'pager.diff',
    'pager.log',
    'alias.diff',
    'alias.log',
  ]
  for (const setting of settings)
    git('config', setting, setting.startsWith('alias') ? `!${trap}` : trap)
  git('config', 'log.showSignature', 'true')
  git('config', 'filter.own.required', 'true')
  // As long as before, so that Git has to look into the file.
  box.write('a.json', sound.replace('s-1', 's-2'))
  box.write('b.json', sound)
  box.write('handoffs/2026-02-11T14-30-00Z-x.md', handoff('main'))
  await box.run('check')
  await box.run('check', '--changed')
  await box.run('check', '--changed', 'HEAD')
  await box.run('check', '--staged')
  await box.run('doctor')
  const sprung = join(box.root, 'sprung')
  expect(existsSync(sprung) ? readFileSync(sprung, 'utf8') : '').toBe('')
})

function handoff(branch: string, continues = '2026-02-10T09-00-00Z-y.md'): string {
  const fixture = fixturesOf('handoff-document.v1').find(f => f.name === 'example')
  return readFileSync(fixture?.file ?? '', 'utf8')
    .replace(/^branch:.*$/m, `branch: ${JSON.stringify(branch)}`)
    .replace(/^continues_from:.*$/m, `continues_from: ${JSON.stringify(continues)}`)
}

test.each([
  `--output=${'/tmp/waybill-owned'}`,
  '-p',
  '--all',
  ':/.*',
  'HEAD^{/\\(a*\\)*\\1}',
  'a..b',
  '\0',
  '\x1b[2J',
  'x'.repeat(100_000),
  '$(touch owned)',
])('a branch called %j does no harm', async branch => {
  git('commit', '-q', '--allow-empty', '-m', 'first')
  box.write('handoffs/2026-02-11T14-30-00Z-x.md', handoff(branch))
  await box.run('check', '--now', '2026-02-11T15:00:00Z')
  expect(existsSync('/tmp/waybill-owned') || existsSync(join(box.root, 'owned'))).toBe(false)
})

test.each([
  '../../../../../../../../etc/passwd',
  '/etc/passwd',
  'file:///etc/passwd',
  '~/.ssh/id_rsa',
  '..\\..\\etc\\passwd',
  'link.md',
  'a\0b',
  'x/'.repeat(5000),
])('a predecessor %j is not opened outside the repository', async continues => {
  symlinkSync('/etc/passwd', join(box.root, 'link.md'))
  box.write('handoffs/2026-02-11T14-30-00Z-x.md', handoff('main', continues))
  const { status, stdout } = await box.run('check', 'handoffs')
  expect(status).toBe(1)
  expect(stdout).toMatch(/predecessor-(?:exists|inside-root)/)
  expect(stdout).not.toContain('root:x:')
})

test('a changed link is not followed out of the repository', async () => {
  const other = openSandbox()
  try {
    git('commit', '-q', '--allow-empty', '-m', 'first')
    symlinkSync(other.write('a.json', '{"schema_version": 1'), join(box.root, 'a.json'))
    const { stdout } = await box.run('check', '--changed', '--format', 'json')
    expect(JSON.parse(stdout).summary.documents).toBe(0)
  } finally {
    other.remove()
  }
})

test('odd references to compare with are refused', async () => {
  git('commit', '-q', '--allow-empty', '-m', 'first')
  for (const reference of ['--output=owned', '--no-index', ':/(', '\x1b[2J']) {
    const { status, stderr } = await box.run('check', `--changed=${reference}`)
    expect(status).toBe(2)
    expect(stderr).not.toContain('\x1b')
  }
  expect(existsSync(join(box.root, 'owned'))).toBe(false)
})

test('odd names in the index are checked or named', async () => {
  for (const name of ['-a.json', ':b.json', 'c\n.json', '"d".json', '*.json'])
    box.write(name, sound)
  git('add', '.')
  const { stdout } = await box.run('check', '--staged', '--format', 'json')
  expect(JSON.parse(stdout).summary).toMatchObject({ documents: 5, accepted: 5 })
})
