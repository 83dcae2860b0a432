import { describe, expect, test } from 'vitest'
import { handoff, inspectIn, policyRepositories } from '../../../test/policies.ts'
import { decideBy } from './decide.ts'
import { BUILT_IN_FORMS } from './forms.generated.ts'
import { type Forbid, joinForbids } from './join.ts'
import { readPolicy } from './read-policy.ts'
import { setFor } from './sets.ts'
import { splitPolicies } from './split.ts'
import { BUILT_IN_POLICIES } from './texts.generated.ts'

const repository = policyRepositories()

function parsed(text: string): Forbid[] {
  return splitPolicies(text).map(piece => {
    const { form } = readPolicy(piece)
    if (!form) throw new Error(`this is no policy: ${piece.text}`)
    return { text: piece.text, form }
  })
}

const HEAD = 'forbid (principal, action, resource)'

describe('forbids that are joined', () => {
  test('as the built-in ones are', () => {
    const forbids = BUILT_IN_POLICIES.filter(({ effect }) => effect === 'forbid')
    const given = forbids.flatMap(({ id, text }) => {
      const form = BUILT_IN_FORMS[id]
      return form ? [{ text, form }] : []
    })
    expect(given).toHaveLength(forbids.length)
    const { joined, apart } = joinForbids(given)
    expect([joined?.match(/\|\|/g)?.length, apart]).toEqual([forbids.length, []])
  })

  test.each([
    ['none of its own conditions', `${HEAD};`, '(true || (context.a\n))'],
    [
      'several conditions',
      `${HEAD} when { 1 == 2 } unless { true };`,
      '(( 1 == 2 \n) && !( true \n))',
    ],
    ['a comment at the end', `${HEAD} when { true // and so on }\n};`, '// and so on }\n\n)'],
    ['a brace in a text', `${HEAD} when { context.a == "}" };`, '( context.a == "}" \n)'],
    ['a record', `${HEAD} when { context.a == {b: {c: 1}} };`, '( context.a == {b: {c: 1}} \n)'],
    ['a chain of negations', `${HEAD} unless { !!context.a };`, '!( !!context.a \n)'],
    ['annotations that look like conditions', `@when("{") @unless("}") ${HEAD};`, '(true || '],
    [
      'one agent',
      'forbid (principal == Waybill::Agent::"a", action, resource);',
      '(principal == Waybill::Agent::"a")',
    ],
    [
      'one agent and its type',
      'forbid (principal, action, resource is Waybill::Agent in Waybill::Agent::"a b");',
      '(resource in Waybill::Agent::"a b")',
    ],
    [
      'an agent whose id has to be escaped, which it then is for any agent',
      'forbid (principal == Waybill::Agent::"\\"\\\\", action, resource) when { context.b };',
      'when { (( context.b \n) || ',
    ],
  ])('with %s', (_, text, part) => {
    const { joined, apart } = joinForbids(parsed(`${text} ${HEAD} when {context.a};`))
    expect(joined).toContain(part)
    expect(apart).toEqual([])
  })

  test('do not hold what is nested deeply', () => {
    const deep = `${HEAD} when { true${' || true'.repeat(40)} };`
    const given = parsed(`${deep} ${HEAD} when { context.flat };`)
    const { joined, apart } = joinForbids(given)
    expect([joined, apart]).toEqual([expect.stringContaining('context.flat'), given.slice(0, 1)])
    expect(joinForbids(apart)).toEqual({ apart })
  })

  test('are given up where the engine reads another condition than the policy has', () => {
    const [one, other] = parsed(`${HEAD} when { true }; ${HEAD} when { false };`) as [
      Forbid,
      Forbid,
    ]
    expect(joinForbids([{ text: other.text, form: one.form }, other])).toEqual({ apart: [] })
    expect(joinForbids([{ text: HEAD, form: one.form }, other])).toEqual({ apart: [] })
    expect(joinForbids([{ text: '} when { (', form: one.form }]).joined).toBeUndefined()
  })

  test('stay separate from the permits, of which each may have to be named', () => {
    const permit = 'permit (principal, action == Waybill::Action::"useTool", resource);'
    const inspected = inspectIn(repository({ 'a.cedar': `${permit} ${permit} ${HEAD};` }))
    const names = (...of: Parameters<typeof setFor>) => Object.keys(setFor(...of).policies())
    expect(names('useTool', inspected, 'joined')).toHaveLength(4)
    expect(names('handoff', inspected, 'joined')).toEqual(['0', 'joined'])
    expect(names('handoff', inspected, 'all').length).toBeGreaterThan(9)
  })
})

test('hundreds decide that are nested as deeply as what is joined may be', () => {
  const condition = `${'('.repeat(46)}context.quarantined${')'.repeat(46)}${' || false'.repeat(28)}`
  const text = `${HEAD} when { ${condition} };\n`.repeat(300)
  const half = text.length / 2
  const inspected = inspectIn(
    repository({ 'a.cedar': text.slice(0, half), 'b.cedar': text.slice(half) }),
  )
  expect(inspected.policies.length).toBeGreaterThan(300)
  expect(Object.keys(setFor('handoff', inspected, 'joined').policies())).toEqual(['0', 'joined'])
  expect(decideBy(inspected, {}).decide(handoff).decision).toBe('allow')
})
