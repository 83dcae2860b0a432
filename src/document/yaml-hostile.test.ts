import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { readYaml } from './yaml.ts'

const LAUGHS = `a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]
${'bcdefghi'.replace(/./g, (name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join()}]\n`)}`

const many = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('')

describe('hostile YAML is read in linear time', () => {
  test.each([
    ['many keys', many(50_000, i => `key${i}: ${i}\n`)],
    ['many keys in braces', `{${many(50_000, i => `key${i}: ${i}, `)}}`],
    ['many duplicate keys', many(20_000, () => 'a: 1\n')],
    ['many anchors', many(10_000, i => `a${i}: &a${i} x\n`)],
    ['many aliases', `a: &a x\n${many(10_000, i => `b${i}: *a\n`)}`],
    ['billion laughs', LAUGHS],
    ['opening brackets', '['.repeat(100_000)],
    ['opening braces', '{'.repeat(100_000)],
    ['opening brackets in items', '- ['.repeat(30_000)],
    ['pairs of brackets', '[]'.repeat(50_000)],
    ['brackets as keys', '[[]: '.repeat(20_000)],
    [
      'dashes in a quote that is not closed',
      `a:\n  b: "x\n${many(3, () => `    ${'- '.repeat(50_000)}a\n`)} c: 1\n`,
    ],
    ['double quotes', '"'.repeat(100_000)],
    ['single quotes', "'".repeat(100_000)],
    ['backslashes', `"${'\\'.repeat(100_000)}`],
    ['anchors', '&a '.repeat(33_000)],
    ['anchors on lines', '&a\n'.repeat(33_000)],
    ['anchors of nested items', many(90, i => `${' '.repeat(i)}- &a\n`)],
    ['tags', '!!str '.repeat(16_000)],
    [
      'tags and anchors on nested lines',
      many(90, i => `${' '.repeat(i)}&a !!map\n${' '.repeat(i)}k${i}:\n`),
    ],
    ['tabs', '\t'.repeat(100_000)],
    ['tabs behind a key', `a:${'\t'.repeat(100_000)}`],
    ['explicit keys', '? '.repeat(50_000)],
    ['explicit keys on lines', '? \n'.repeat(33_000)],
    ['explicit keys in braces', `{${'? , '.repeat(25_000)}}`],
    ['empty keys', ': '.repeat(50_000)],
    ['empty items', '-\n'.repeat(50_000)],
    ['empty items between comments', '- # x\n\n# y\n'.repeat(10_000)],
    ['dashes', '- '.repeat(50_000)],
    ['documents', '---\n'.repeat(25_000)],
    ['directives', '%TAG !a! b\n'.repeat(10_000)],
    ['comments', '# a\n'.repeat(25_000)],
    ['spaces', ' '.repeat(100_000)],
    ['spaces behind a key', `a: b${' '.repeat(100_000)}c\n: `],
    ['line ends', `a: |\n${'\n'.repeat(100_000)}`],
    [
      'a block scalar that keeps many line ends',
      `a: |+\n  x\n${'\n'.repeat(50_000)}b: |+\n  x\n${'\n'.repeat(50_000)}`,
    ],
    ['block scalars', many(10_000, i => `a${i}: |\n  x\n\n`)],
    ['one long word', 'a'.repeat(100_000)],
    ['colons', 'a:'.repeat(50_000)],
    ['root keys of a broken text', `${many(10_000, i => `key${i}: "a # b\n`)}[`],
    ['a root key with many spaces', `a: ${'b '.repeat(50_000)}\n\t[`],
    ['digits', `a: ${'1'.repeat(100_000)}x`],
    ['digits and points', `a: ${'1.'.repeat(50_000)}`],
  ])('%s', async (_, text) => {
    const ms = await cpuTimeOf(() => {
      const { value, locate } = readYaml(text)
      for (let i = 0; i < 1000; i++) locate([`key${i}`])
      expect(JSON.stringify(value)?.length ?? 0).toBeLessThan(text.length * 3 + 1000)
    })
    expect(ms).toBeLessThan(5000)
  })

  test('billion laughs are refused at the first alias', () => {
    const [first] = readYaml(LAUGHS).faults
    expect(first?.code).toBe('syntax/yaml-alias')
    expect(first?.span.start).toBe(LAUGHS.indexOf('*a'))
  })

  test('all of many keys are read', () => {
    const { value, faults } = readYaml(many(50_000, i => `key${i}: ${i}\n`))
    expect(faults).toEqual([])
    expect(Object.keys(value as object)).toHaveLength(50_000)
  })
})
