import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../src/workspace/index.ts'
import { openDatabase } from './database.ts'
import { TOOLS } from './foreign-tools.ts'
import { without } from './python.ts'
import { openRepository, type Place, typed } from './typed.ts'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'waybill-docs-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('docs/**/*.md', { cwd: root }),
  ...globSync('src/contracts/*/README.md', { cwd: root }),
].sort()
const handWritten = pages.filter(page => !page.startsWith('docs/reference/'))

/** A fenced block; `info` is what follows its fence. */
interface Block {
  readonly page: string
  readonly info: string
  readonly text: string
}

const blocks: readonly Block[] = handWritten.flatMap(page =>
  [...read(page).matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', text = '']) => ({
    page,
    info,
    text,
  })),
)

/** The page in which both keys were rotated; it looks at an entry by the newer one, and there are two more. */
const afterRotation = (text: string) =>
  text
    .replace(/^mkdir audit$/m, 'waybill key rotate gateway\nwaybill key rotate log\n$&')
    .replace('entry.py 1 ', 'entry.py 4 ')
    .replace('verified 3 entries', 'verified 5 entries')

/**
 * The page in which another clone keeps a log too, whose keys are named before those of the log that is looked at; and
 * the reader has a Node that reads no types, as older ones do.
 */
const besideAnotherClone = (text: string) =>
  text
    .replace(/^waybill init --quiet$/m, `$&\n${SECOND_CLONE}`)
    .replace('$(cat log.keys gateway.keys)', '$(tac log.keys) $(tac gateway.keys)')
    .replace(/^node /gm, 'node --no-experimental-strip-types ')
const SECOND_CLONE = [
  'git add . && git commit --quiet --message "Begin" && git clone --quiet . "$PWD.clone"',
  '(cd "$PWD.clone" && waybill init --quiet)',
  'cp "$PWD.clone/waybill.yaml" . && git commit --quiet --all --message "Another clone"',
].join('\n')

const AUDITING = 'docs/guide/auditing.md'

describe('commands', () => {
  const marked = handWritten.filter(page => blocks.some(b => b.page === page && isCommand(b)))

  const ran = new Map<string, ReadonlySet<Block>>()

  /** Runs what a page has typed, and gives the blocks that were: not those whose tools are not here. */
  async function runPage(page: string): Promise<ReadonlySet<Block>> {
    // What README shows is typed in a clone, what a guide shows in a repository of one's own.
    const folder = page === 'README.md' ? root : openRepository(scratch, basename(page, '.md'))
    const [own, done] = [blocks.filter(b => b.page === page), new Set<Block>()]
    ran.set(page, done)
    if (!own.some(block => isCommand(block) && / mission /.test(block.text)))
      return runBlocks(own, { folder, scratch, variables: {} }, done)
    const database = await openDatabase({ migrated: false })
    try {
      return runBlocks(own, { folder, scratch, variables: { DATABASE_URL: database.url } }, done)
    } finally {
      await database.remove()
    }
  }

  function runBlocks(own: readonly Block[], place: Place, done: Set<Block>): ReadonlySet<Block> {
    for (const [i, block] of own.entries()) {
      if (!isCommand(block) || !canRun(block)) continue
      const { status, stdout, stderr } = typed(block.text, place)
      const wanted = Number(/exits=([0-9]+)/.exec(block.info)?.[1] ?? 0)
      expect(status, `${block.text}\n${stdout}\n${stderr}`).toBe(wanted)
      const next = own[i + 1]
      if (next?.info === 'text output') expect(stdout).toBe(next.text)
      done.add(block)
    }
    return done
  }

  test.each(marked)('those in %s do what the page says', async page => {
    expect((await runPage(page)).size).toBeGreaterThan(0)
  })

  test.each([
    ['after the keys were rotated', 'rotated', afterRotation],
    ['next to the log of another clone, with an older Node', 'second', besideAnotherClone],
  ])('those about auditing do so as well %s', (_, name, changed) => {
    const own = blocks.filter(({ page }) => page === AUDITING)
    const others = own.map(block => ({ ...block, text: changed(block.text) }))
    expect(others.filter(({ text }, i) => text !== own[i]?.text).length).toBeGreaterThan(1)
    const commands = others.filter(block => isCommand(block) && canRun(block))
    const place = { folder: openRepository(scratch, name), scratch, variables: {} }
    expect(runBlocks(others, place, new Set()).size).toBe(commands.length)
  })

  const foreign = marked.flatMap(page =>
    [...new Set(blocks.filter(b => b.page === page).flatMap(toolsOf))].map(tool => ({
      page,
      tool,
    })),
  )
  for (const { page, tool } of foreign) {
    const isThere = TOOLS.get(tool) ?? false
    test.skipIf(!isThere)(
      `those in ${page} that need ${tool} are among them${without(tool, isThere)}`,
      { timeout: 240_000 },
      async () => {
        const done = ran.get(page) ?? (await runPage(page))
        const needy = blocks.filter(b => b.page === page && toolsOf(b).includes(tool) && canRun(b))
        expect(needy.filter(block => !done.has(block))).toEqual([])
      },
    )
  }

  test('the quick start has at most five lines', () => {
    const [first] = blocks.filter(b => b.page === 'README.md' && isCommand(b))
    expect(first?.text.trim().split('\n').length).toBeLessThanOrEqual(5)
    expect(first?.text).toMatch(/^npm ci\nnpm start\n/)
  })
})

function isCommand({ info }: Block): boolean {
  return /^sh test\b/.test(info)
}

/** The programs that a block needs and that are not everywhere. */
function toolsOf({ info }: Block): readonly string[] {
  return /\bneeds=([a-z0-9,-]+)/.exec(info)?.[1]?.split(',') ?? []
}

function canRun(block: Block): boolean {
  return toolsOf(block).every(tool => TOOLS.get(tool))
}

describe('TypeScript', () => {
  const folder = join(scratch, 'typescript')
  const inComments = ['src/index.ts', 'src/ledger/door.ts'].flatMap(page =>
    [...read(page).matchAll(/^ \* ```ts\n([\s\S]*?)^ \* ```$/gm)].map(([, text = '']) => ({
      page,
      info: 'ts',
      text: text.replace(/^ \* ?/gm, ''),
    })),
  )
  const code = [...blocks.filter(b => /^ts\b/.test(b.info)), ...inComments].map((block, i) => ({
    ...block,
    file: join(folder, `block-${i}.ts`),
  }))

  /** A package that uses Waybill: its doors are the sources, under the names that the manifest publishes. */
  function consumer(): void {
    const installed = join(folder, 'node_modules/waybill')
    mkdirSync(installed, { recursive: true })
    symlinkSync(join(root, 'src'), join(installed, 'src'))
    symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
    const doors = {
      '.': './src/index.ts',
      './contracts': './src/contracts/door.ts',
      './ledger': './src/ledger/door.ts',
      './operations': './src/operations/index.ts',
    }
    writeJson(join(installed, 'package.json'), { name: 'waybill', type: 'module', exports: doors })
    writeJson(join(folder, 'package.json'), { name: 'consumer', type: 'module' })
    writeJson(join(folder, 'tsconfig.json'), {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { noUnusedLocals: false },
      include: ['*.ts'],
    })
    for (const { file, text } of code) writeFileSync(file, text)
  }

  test('every block compiles against the sources', () => {
    consumer()
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
      encoding: 'utf8',
    })
    expect(status, stdout).toBe(0)
  })

  test.each(code.filter(({ info }) => info === 'ts run').map(b => [b.page, b] as const))(
    'a block in %s that is marked to run runs',
    (_, { file }) => {
      const { status, stderr } = spawnSync(process.execPath, [file], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(status, stderr).toBe(0)
    },
  )

  test('there are blocks to compile, and blocks to run', () => {
    expect(code.length).toBeGreaterThan(3)
    expect(code.some(({ info }) => info === 'ts run')).toBe(true)
  })
})

test('configurations that are shown are accepted', async () => {
  const shown = blocks.filter(({ info }) => info === 'yaml config')
  expect(shown.length).toBeGreaterThan(0)
  for (const { text } of shown) {
    const folder = mkdtempSync(join(scratch, 'config-'))
    writeFileSync(join(folder, 'waybill.yaml'), text)
    await expect(loadConfig(folder)).resolves.toBeTypeOf('object')
  }
})

test('the layer table of ARCHITECTURE.md is the one that the architecture test holds', () => {
  const [, held = ''] =
    /const LAYERS[^{]*\{\n([\s\S]*?)^\}/m.exec(read('test/architecture.test.ts')) ?? []
  const wanted = [...held.matchAll(/^ {2}(\w+): \[([^\]]*)\],$/gm)].map(
    ([, layer = '', may = '']) => [layer, [...may.matchAll(/'(\w+)'/g)].map(m => m[1])] as const,
  )
  const written = [...read('ARCHITECTURE.md').matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].map(
    ([, layer = '', may = '']) => [layer, [...may.matchAll(/`(\w+)`/g)].map(m => m[1])] as const,
  )
  expect(wanted.length).toBeGreaterThan(5)
  expect(written).toEqual(wanted)
})

test('the page of dependencies names the versions that are installed', () => {
  const manifest = JSON.parse(read('package.json'))
  const written = [
    ...read('docs/reference/dependencies.md').matchAll(/^\| `([^`]+)` \| ([^ ]+) \|/gm),
  ]
  const named = Object.fromEntries(written.map(([, name = '', version]) => [name, version]))
  expect(named).toEqual({ ...manifest.devDependencies, ...manifest.optionalDependencies })
})

test('links between pages lead somewhere', () => {
  const dead = pages.flatMap(page =>
    [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => !leads(page, path, anchor))
      .map(([link]) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})

function leads(page: string, path: string, anchor: string | undefined): boolean {
  const target = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (!existsSync(target)) return false
  if (anchor === undefined) return true
  const text = readFileSync(target, 'utf8')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slug(title))
  return headings.includes(anchor) || text.includes(`<a id="${anchor}"></a>`)
}

/** The anchor that a heading gets where Markdown is shown. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function withoutCode(text: string): string {
  return text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, match => (match.includes('](') ? '' : match))
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value, null, 2))
}
