import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words that hide who does what, or that a reader has to decipher. */
const WORDS =
  /\b(?:nobody|whoever|somebody|anybody|everybody|anew|besides?|told|goes on from|is had)\b/gi

/** Places where a word is meant literally: the Unix user, a JSON field, a file of test data. */
const LITERAL: Readonly<Record<string, number>> = {
  'bench/rows/store.ts': 1,
  'docs/decisions/0020-the-embedded-server-keeps-data-in-the-repository.md': 7,
  'src/cli/render/log-erase.ts': 1,
  'src/ledger/testdata/README.md': 1,
  'src/operations/log-erase.ts': 1,
  'src/operations/log-erase/output.ts': 2,
  'src/store/embedded/run-as.ts': 8,
}

/** Fixtures are inputs, migrations are released, the example is a story; the pages are generated or quote titles of tests. */
const LEFT_OUT =
  /\/fixtures\/|generated|^src\/store\/migrations\/|^examples\/nudge\/|^docs\/reference\/(?:proofs|requirements|threat-model|rules|database|cli)\.md|^test\/plain-words|^schemas\//

const files = execFileSync('git', ['ls-files', '*.ts', '*.md', '*.py', '*.yaml'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter(file => !LEFT_OUT.test(file))

const count = (file: string) => readFileSync(join(root, file), 'utf8').match(WORDS)?.length ?? 0

test('messages, comments and pages of the product use plain words', () => {
  const product = files.filter(file => !/(?:\.test\.ts$|^test\/|requirements\.yaml$)/.test(file))
  const found = product.map(file => [file, count(file)] as const).filter(([, n]) => n > 0)
  expect(Object.fromEntries(found)).toEqual(LITERAL)
})

/** Falls with every test that is rewritten. */
const IN_TESTS = 60

test('tests use no more of the old words than before', () => {
  const tests = files.filter(file => /(?:\.test\.ts$|^test\/|requirements\.yaml$)/.test(file))
  expect(tests.reduce((sum, file) => sum + count(file), 0)).toBeLessThanOrEqual(IN_TESTS)
})
