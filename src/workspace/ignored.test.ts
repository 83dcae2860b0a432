import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { compileGlob } from './glob.ts'
import { readIgnore } from './ignored.ts'

test.each([
  ['*.json', 'a.json', true],
  ['*.json', '.json', false],
  ['?', '😀', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]]', ']', true],
  ['[z', '[z', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['{a,b{c,d}}.ts', 'bd.ts', true],
  ['{a,b{c,d}}.ts', 'b.ts', false],
  ['{a,}x', 'x', true],
  ['{a}', '{a}', true],
  ['{a', '{a', true],
  ['*a*b', 'xaab', true],
  ['*a*b', 'xaba', false],
])('the pattern %s fits %s: %j', (pattern, name, fitting) => {
  expect(compileGlob(pattern, { braces: true })(name)).toBe(fitting)
})

test.each([
  ['stars', '*a'.repeat(60)],
  ['braces', '{a,aa}'.repeat(400)],
  ['nested braces', `${'{a,'.repeat(700)}b${'}'.repeat(700)}`],
])('%s without end take no time without end', async (_, pattern) => {
  const ms = await cpuTimeOf(() => {
    expect(compileGlob(`${pattern}c`, { braces: true })(`${'a'.repeat(250)}cb`)).toBe(false)
  })
  expect(ms).toBeLessThan(2000)
})

describe('patterns of .gitignore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-ignored-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  execFileSync('git', ['init', '-q', folder])

  test('mean what they mean to Git', () => {
    const part = fc.constantFrom('a', 'b', '*', '**', '?', '[ab]', 'a*', '*b', '[!a]', '***')
    const line = fc
      .tuple(
        fc.constantFrom('', '', '!', '/', '#', '\\'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/', ' ', '\r'),
      )
      .map(([head, parts, tail]) => `${head}${parts.join('/')}${tail}`)
    const name = fc.constantFrom('a', 'b', 'ab', 'c', '.a')
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 8 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), paths, (lines, all) => {
        writeFileSync(join(folder, '.gitignore'), `${lines.join('\n')}\n`)
        const ignored = readIgnore(lines)
        const own = all.filter(path =>
          path.some((_, i) => ignored(path.slice(0, i + 1), i + 1 < path.length)),
        )
        const said = gitIgnores(all.map(path => path.join('/')))
        expect(own.map(path => path.join('/'))).toEqual(said)
      }),
      { numRuns: 60 },
    )
  })

  function gitIgnores(paths: readonly string[]): string[] {
    try {
      const args = ['check-ignore', '--no-index', '--stdin', '-z']
      const input = paths.join('\0')
      const options = { cwd: folder, input, stdio: ['pipe', 'pipe', 'ignore'] as const }
      const out = execFileSync('git', args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
      return out.toString().split('\0').filter(Boolean)
    } catch {
      return []
    }
  }
})
