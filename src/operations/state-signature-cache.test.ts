import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { faultsWhenPasted, STATE } from '../../test/pasted.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { text } from '../cli/render/state-signature.ts'
import { style } from '../cli/terminal.ts'
import { formatYaml } from '../document/index.ts'
import signature from './state-signature.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

type Input = Parameters<typeof signature.run>[0]
const run = (input: Input = {}) => signature.run(input, folder.app())
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder.root, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()

const FILES = {
  'pom.xml': '<project>\n</project>\n',
  'services/orders/package.json': '{\n}\n',
  'services/orders/src/a.ts': 'a\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'rules.backend-java.md': '# Rules\n',
}

/** A repository with one commit. */
function begin() {
  for (const [path, content] of Object.entries(FILES)) folder.write(path, content)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
}

describe('a cache', () => {
  const facts = async () => (await run()).current

  test.each<
    [
      why: string,
      cache: (now: Awaited<ReturnType<typeof facts>>) => object,
      head: unknown,
      sig: unknown,
      valid: boolean,
    ]
  >([
    ['with both facts', now => now, true, true, true],
    ['below a key of its own', now => ({ RepoCache: now }), true, true, true],
    ['with a short commit', now => ({ GitHead: now.GitHead.slice(0, 7) }), true, 'unknown', true],
    [
      'of another commit and the same shape',
      now => ({ ...now, GitHead: 'a'.repeat(40) }),
      false,
      true,
      true,
    ],
    [
      'of another commit without a signature',
      () => ({ GitHead: 'a'.repeat(40) }),
      false,
      'unknown',
      false,
    ],
    [
      'of this commit and another shape',
      now => ({ ...now, RepoSignature: 'a'.repeat(64) }),
      true,
      false,
      false,
    ],
    [
      'with a commit that is none',
      now => ({ ...now, GitHead: 'HEAD', RepoSignature: 'x' }),
      'unknown',
      'unknown',
      false,
    ],
    ['with a day to come', now => ({ ...now, LastUpdated: '2099-01-01' }), true, true, true],
  ])('%s', async (_, cache, head, sig, valid) => {
    begin()
    folder.write('repo-cache.yaml', formatYaml({ ...cache(await facts()) }))
    const output = await run()
    expect(faultsOf('state signature', output)).toEqual([])
    const { GitHeadMatch, RepoSignatureMatch, Valid, InvalidationReason, LastUpdated } =
      output.RepoCacheFile
    expect([GitHeadMatch, RepoSignatureMatch, Valid]).toEqual([head, sig, valid])
    expect(InvalidationReason === '').toBe(valid)
    expect(LastUpdated < '2099').toBe(LastUpdated !== 'unknown')
    expect(await faultsWhenPasted(folder, output.yaml)).toEqual([])
    expect(text(output, style(false), undefined, false)).toContain(
      valid ? 'is valid' : 'full discovery',
    )
    expect(text(output, style(false), undefined, true)).toBe(output.yaml)
  })

  test('in a folder of its own does not change what it describes', async () => {
    begin()
    const now = await facts()
    folder.write('cache/go.mod.yaml', formatYaml({ ...now }))
    git('add', '.')
    const output = await run({ cache: 'cache/go.mod.yaml' })
    expect(output.RepoCacheFile).toMatchObject({ Valid: true, SourcePath: 'cache/go.mod.yaml' })
  })

  test('stands where the state says; its expression is kept', async () => {
    begin()
    folder.write('deep/cache.yaml', formatYaml({ ...(await facts()) }))
    const at = (SourcePath: string) =>
      folder.write('SESSION_STATE.yaml', formatYaml({ ...STATE, RepoCacheFile: { SourcePath } }))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a state writes it
    const written = '${REPO_HOME}/deep/cache.yaml'
    at(written)
    const output = await run()
    expect([output.cache, output.RepoCacheFile.SourcePath]).toEqual(['deep/cache.yaml', written])
    expect(output.RepoCacheFile.Valid).toBe(true)
    const nameless = ['a'.repeat(400), 'a\0b']
    const outside = ['/etc/passwd', '../x.yaml', written.replace('REPO', 'OPENCODE')]
    for (const elsewhere of [...outside, ...nameless]) {
      at(elsewhere)
      expect((await run()).RepoCacheFile).toMatchObject({ Loaded: false, Valid: false })
    }
  })

  test.each<[why: string, make: (path: string) => void, reason: string]>([
    ['that is not there', () => undefined, 'the cache does not exist'],
    [
      'that is a link out of the repository',
      path => symlinkSync('/etc/passwd', path),
      'the cache leads out of the repository',
    ],
    [
      'that is a link to nothing',
      path => symlinkSync('nothing', path),
      'the cache is not a regular file',
    ],
    ['that is a folder', path => mkdirSync(path), 'the cache is a folder'],
    ['that is a pipe', path => execFileSync('mkfifo', [path]), 'the cache is not a regular file'],
    [
      'that is huge',
      path => writeFileSync(path, Buffer.alloc(5 * 1024 ** 2, 'a')),
      'the cache cannot be used: it has more than 4194304 bytes',
    ],
    [
      'that is binary',
      path => writeFileSync(path, Buffer.from([0x47, 0xff, 0, 1])),
      'the cache cannot be used: ',
    ],
    ['that is no YAML', path => writeFileSync(path, 'a: [\n'), 'the cache cannot be used: '],
    [
      'that holds something else',
      path => writeFileSync(path, '- GitHead\n'),
      'the cache is not valid: GitHead and RepoSignature are missing',
    ],
    [
      'that inherits its facts',
      path => writeFileSync(path, '__proto__: { GitHead: aaaaaaa }\n'),
      'the cache ',
    ],
  ])('%s is reported, and not relied on', async (_, make, reason) => {
    begin()
    make(join(folder.root, 'repo-cache.yaml'))
    const output = await run()
    expect(faultsOf('state signature', output)).toEqual([])
    expect(output.RepoCacheFile).toMatchObject({
      Loaded: false,
      Valid: false,
      FileStatus: 'write-requested',
    })
    expect(output.RepoCacheFile.InvalidationReason.startsWith(reason)).toBe(true)
    expect(await faultsWhenPasted(folder, output.yaml)).toEqual([])
  })
})
