import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words that hide who does what, or that a reader has to decipher. */
const WORDS =
  /\b(?:nobody|whoever|somebody|anybody|everybody|anew|besides?|told|goes on from|is had)\b/gi

/** Places where a word is meant literally: the Unix user, a JSON field, a word list. */
const LITERAL: Readonly<Record<string, number>> = {}

/** Fixtures are inputs; the others are generated from sources or quote titles of tests. */
const LEFT_OUT =
  /\/fixtures\/|generated|^docs\/reference\/(?:proofs|requirements|threat-model|rules|database|cli)\.md|^test\/plain-words|^schemas\//

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
const IN_TESTS = 0

test('tests use no more of the old words than before', () => {
  const tests = files.filter(file => /(?:\.test\.ts$|^test\/|requirements\.yaml$)/.test(file))
  expect(tests.reduce((sum, file) => sum + count(file), 0)).toBeLessThanOrEqual(IN_TESTS)
})
