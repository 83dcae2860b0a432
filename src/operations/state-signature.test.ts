import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STATE } from '../../test/pasted.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { formatYaml } from '../document/index.ts'
import type { App } from './operation.ts'
import signature from './state-signature.ts'

let folder: TestFolder
let other: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  other = openTestFolder()
})
afterEach(() => {
  folder.remove()
  other.remove()
})

type Input = Parameters<typeof signature.run>[0]
const run = (input: Input = {}, app: App = folder.app()) => signature.run(input, app)
const digest = async (at: TestFolder = folder) => (await run({}, at.app())).current.RepoSignature
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

describe('the signature is the same', () => {
  test('in a clone, a shallow clone, a worktree and a copy without Git', async () => {
    begin()
    folder.write('services/orders/src/b.ts', '')
    git('add', '.')
    git('commit', '-q', '-m', 'two')
    const known = await digest()
    expect(known).toMatch(/^[0-9a-f]{64}$/)
    for (const options of [[], ['--depth=1']]) {
      const root = join(other.root, `clone${options.length}`)
      git('clone', '-q', ...options, `file://${folder.root}`, root)
      const output = await run({}, other.app({ root, cwd: root }))
      expect(output.current.RepoSignature).toBe(known)
      expect(output.current.GitHead).toBe(git('rev-parse', 'HEAD').trim())
    }
    const tree = join(other.root, 'tree')
    git('worktree', 'add', '-q', '--detach', tree)
    expect((await run({}, other.app({ root: tree, cwd: tree }))).current.RepoSignature).toBe(known)
    const copy = join(other.root, 'copy')
    cpSync(folder.root, copy, {
      recursive: true,
      filter: path => !path.includes('/.git/') && !path.endsWith('/.git'),
    })
    const bare = await run({}, other.app({ root: copy, cwd: copy }))
    expect(bare.current).toMatchObject({ GitHead: 'unknown', RepoSignature: known })
    expect(bare.listing).toMatchObject({ by: 'folders', whyNoHead: 'this is not a Git repository' })
  })

  test('in a sparse checkout, as long as this clone has what it leaves out', async () => {
    begin()
    const known = await digest()
    git('sparse-checkout', 'set', '.github')
    expect(await digest()).toBe(known)
    const object = git('rev-parse', 'HEAD:services/orders/package.json').trim()
    rmSync(join(folder.root, '.git/objects', object.slice(0, 2)), { recursive: true })
    expect((await run()).whyNoSignature).toBe(
      'services/orders/package.json cannot be read: it is missing in this clone',
    )
  })

  test.each<[why: string, change: () => void]>([
    ['with other line ends', () => folder.write('pom.xml', '<project>\r\n</project>\r\n')],
    ['with handoffs anywhere', () => folder.write('docs/ADR-1/handoffs/package.json', '{}')],
    ['with local state', () => folder.write('.waybill/records/package.json', '{}')],
    [
      'with a state and a cache',
      () => {
        folder.write('SESSION_STATE.yaml', formatYaml(STATE))
        folder.write('repo-cache.yaml', 'GitHead: unknown\n')
      },
    ],
    ['with code changed', () => folder.write('services/orders/src/a.ts', 'b\n')],
    ['with a new file of code', () => folder.write('services/orders/lib/new.ts', '')],
    [
      'with what is ignored',
      () => {
        folder.write('.gitignore', 'out/\n')
        folder.write('out/package.json', '{}')
      },
    ],
    ['with packages installed', () => folder.write('node_modules/a/package.json', '{}')],
    ['with a link to elsewhere', () => symlinkSync('/etc', join(folder.root, 'etc'))],
    [
      'with a new link called as a manifest',
      () => symlinkSync('/etc/passwd', join(folder.root, 'go.mod')),
    ],
  ])('%s', async (_, change) => {
    begin()
    folder.write('services/orders/lib/old.ts', '')
    git('add', '.')
    git('commit', '-q', '-m', 'two')
    const known = await digest()
    change()
    expect(await digest()).toBe(known)
  })
})

describe('the signature changes', () => {
  test.each<[why: string, change: () => void]>([
    ['with a manifest', () => folder.write('pom.xml', '<project/>\n')],
    ['with a manifest that is new', () => folder.write('services/bills/go.mod', 'module bills\n')],
    ['with a manifest that is gone', () => rmSync(join(folder.root, 'pom.xml'))],
    [
      'with a manifest that moved',
      () => {
        folder.write('app/pom.xml', FILES['pom.xml'])
        rmSync(join(folder.root, 'pom.xml'))
      },
    ],
    ['with a pipeline', () => folder.write('.github/workflows/ci.yml', 'on: pull_request\n')],
    ['with a rulebook', () => folder.write('rules.backend-java.md', '# Other\n')],
    [
      'with a folder that is kept',
      () => {
        folder.write('services/bills/src/b.ts', '')
        git('add', '.')
      },
    ],
    [
      'with a folder that is gone',
      () => rmSync(join(folder.root, 'services/orders/src'), { recursive: true }),
    ],
    ['with a lone carriage return', () => folder.write('pom.xml', '<project>\r</project>\n')],
  ])('%s', async (_, change) => {
    begin()
    const known = await digest()
    change()
    expect(await digest()).not.toBe(known)
  })

  test('not into one that another name could have', async () => {
    begin()
    const names = ['x/go.mod" 0\nfile "y', 'x\\/go.mod', 'x/go.mod']
    const found = new Set<string>()
    for (const name of names) {
      folder.write(`${name}/go.mod`, '')
      found.add(await digest())
      rmSync(join(folder.root, `${name}/go.mod`))
    }
    expect(found.size).toBe(names.length)
  })
})

describe('there is no signature', () => {
  test('where a manifest is too large, or a link stands in its place', async () => {
    begin()
    folder.write('pom.xml', 'x'.repeat(1024 ** 2 + 1))
    const output = await run()
    expect(output.current.RepoSignature).toBe('unknown')
    expect(output.whyNoSignature).toBe('pom.xml cannot be read: it has more than 1048576 bytes')
    rmSync(join(folder.root, 'pom.xml'))
    symlinkSync('rules.backend-java.md', join(folder.root, 'pom.xml'))
    expect((await run()).whyNoSignature).toBe('pom.xml cannot be read: it is a symbolic link')
  })

  test('and no commit where Git does not read the repository, though the folders still tell', async () => {
    begin()
    const known = await digest()
    writeFileSync(join(folder.root, '.git/HEAD'), '')
    const output = await run()
    expect(output.listing.whyNoHead).toBe('Git cannot read this repository')
    expect(output.current).toMatchObject({ GitHead: 'unknown', RepoSignature: known })
  })

  test('before the first commit there is only the signature', async () => {
    git('init', '-q')
    const output = await run()
    expect(output.listing).toMatchObject({
      by: 'git',
      gitHead: 'unknown',
      whyNoHead: 'there is no commit yet',
    })
    expect(output.current.RepoSignature).toMatch(/^[0-9a-f]{64}$/)
  })
})
