import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { loadCedar } from './engine.ts'
import { splitPolicies } from './split.ts'
import { BUILT_IN_POLICIES } from './texts.generated.ts'

test('policies are cut at their semicolons, and what stands between them is left out', () => {
  const text = '// one;\npermit (principal, action, resource);\n\n  forbid (a) // two;\n;\n// end'
  expect(splitPolicies(text)).toEqual([
    { start: 8, text: 'permit (principal, action, resource);', depth: 1 },
    { start: 49, text: 'forbid (a) // two;\n;', depth: 1 },
  ])
})

test.each([
  ['a semicolon in a string', '@reason("a;b\\";") permit (principal, action, resource);', 1],
  ['a comment that a carriage return ends', '// x\rpermit (principal, action, resource);', 1],
  ['a policy that does not end', 'permit (principal, action, resource)', 1],
  ['a string that does not end', '@reason("x; permit (principal, action, resource);', 2],
  ['nothing', ' \n\t// x', 0],
])('%s', (_, text, count) => {
  expect(splitPolicies(text)).toHaveLength(count)
})

test('nesting is counted', () => {
  expect(splitPolicies(`${'('.repeat(30)}${')'.repeat(30)};[[]];`).map(p => p.depth)).toEqual([
    30, 2,
  ])
})

const part = fc.constantFrom(
  ...['permit (principal, action, resource);', 'forbid (principal, action, resource)', ';'],
  ...[
    'when { "a;\\"b" == "//" }',
    '// note; permit\n',
    '// cr\r',
    '@reason("x // y;")',
    ' ',
    '\n',
    '\u00a0',
  ],
)

test('what the engine reads as policies is cut into as many', () => {
  let read = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      const answer = loadCedar().policySetTextToParts(parts.join(''))
      if (answer.type === 'failure') return
      read++
      expect(splitPolicies(parts.join(''))).toHaveLength(answer.policies.length)
    }),
    { numRuns: 1500 },
  )
  expect(read).toBeGreaterThan(50)
})

test('a long hostile text is cut in time that grows with its length', async () => {
  const ms = await cpuTimeOf(() => {
    splitPolicies('"\\\n'.repeat(80_000))
    splitPolicies('/'.repeat(250_000))
    splitPolicies('"'.repeat(250_001))
  })
  expect(ms).toBeLessThan(2_000)
})

test('the built-in policies are single ones', () => {
  expect(BUILT_IN_POLICIES.every(({ text }) => splitPolicies(text).length === 1)).toBe(true)
})
