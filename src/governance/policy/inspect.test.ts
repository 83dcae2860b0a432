import { describe, expect, test } from 'vitest'
import {
  CONFIG,
  HANDOFF,
  handoff,
  inspectIn,
  placesIn,
  policyRepositories,
  TOOL,
} from '../../../test/policies.ts'
import { openPolicies } from './decide.ts'

const repository = policyRepositories()

describe('one fault', () => {
  test.each<readonly [string, string | Uint8Array, string]>([
    ['a policy without its end', `// é\n${TOOL}`, 'policy/syntax policies/a.cedar:2:67'],
    [
      'a token that is none',
      `@reason("é😀") ${TOOL} when { ^ };`,
      'policy/syntax policies/a.cedar:1:90',
    ],
    [
      'a template',
      'forbid (principal == ?principal, action, resource);',
      'policy/syntax policies/a.cedar:1:22',
    ],
    ['no policy at all', 'hello', 'policy/syntax policies/a.cedar:1:6'],
    ['an annotation twice', `@id("a")\n@id("b") ${TOOL};`, 'policy/syntax policies/a.cedar:2:1'],
    [
      'an unknown fact',
      `\n${HANDOFF} when { context.trusted };`,
      'policy/type policies/a.cedar:2:75',
    ],
    [
      'a fact of another action',
      `${TOOL} when { context.signed };`,
      'policy/type policies/a.cedar:1:75',
    ],
    [
      'a fact that may be absent',
      `${HANDOFF} when { context.sensitivity == Waybill::Sensitivity::"public" };`,
      'policy/type policies/a.cedar:1:75',
    ],
    [
      'a misspelled class',
      `${HANDOFF} when { context.requestType == Waybill::RequestType::"qury" };`,
      'policy/type policies/a.cedar:1:98',
    ],
    [
      'types that differ',
      `${HANDOFF} when { context.findings == "1" };`,
      'policy/type policies/a.cedar:1:75',
    ],
    [
      'an unknown entity',
      'forbid (principal == Waybill::Person::"x", action, resource);',
      'policy/type policies/a.cedar:1:22',
    ],
    [
      'an unknown action',
      'forbid (principal, action == Waybill::Action::"erase", resource);',
      'policy/type policies/a.cedar:1:30',
    ],
    ['an @id with blanks', `@id("my rule") ${TOOL};`, 'policy/annotation policies/a.cedar:1:1'],
    ['a @needs that says nothing', `@needs("") ${TOOL};`, 'policy/annotation policies/a.cedar:1:1'],
    [
      'an annotation that nothing reads',
      `@need("x") ${TOOL};`,
      'policy/annotation policies/a.cedar:1:1',
    ],
    [
      'the same @id twice',
      `@id("a") ${TOOL};\n@id("a") ${TOOL};`,
      'policy/duplicate-id policies/a.cedar:2:1',
    ],
    [
      'an @id that is a number in use',
      `@id("2") ${TOOL};\n${TOOL};`,
      'policy/duplicate-id policies/a.cedar:2:1',
    ],
    [
      'a permit for handoffs',
      'permit (principal, action == Waybill::Action::"handoff", resource);',
      'policy/widens-handoff policies/a.cedar:1:1',
    ],
    [
      'a permit for everything',
      'permit (principal, action, resource);',
      'policy/widens-handoff policies/a.cedar:1:1',
    ],
    [
      'a policy for an action that does not exist',
      'forbid (principal, action == Waybill::Action::"handoff", resource is Waybill::Tool);',
      'policy/never-applies policies/a.cedar:1:1',
    ],
    [
      'a condition that never holds',
      `${TOOL} when { false };`,
      'policy/never-applies policies/a.cedar:1:1',
    ],
    [
      'a letter that looks like another',
      `${HANDOFF} when { context.approvals.contains("l\u0435gal") };`,
      'policy/confusable policies/a.cedar:1:1',
    ],
    [
      'an invisible character',
      `@reason("a\u202eb") ${TOOL};`,
      'policy/hidden-text policies/a.cedar:1:11',
    ],
    ['a NUL', `${TOOL};\n// \0`, 'policy/hidden-text policies/a.cedar:2:4'],
    [
      'bytes that are no UTF-8',
      new Uint8Array([47, 47, 0xff]),
      'policy/encoding policies/a.cedar:1:3',
    ],
    [
      'half of UTF-16',
      new Uint8Array([0xff, 0xfe, 112, 0]),
      'policy/encoding policies/a.cedar:1:1',
    ],
    ['a file beyond all bounds', ' '.repeat(300_000), 'policy/unreadable policies/a.cedar:1:1'],
    [
      'brackets too deep',
      `${TOOL} when { ${'('.repeat(2_000)}true${')'.repeat(2_000)} };`,
      'policy/too-complex policies/a.cedar:1:1',
    ],
    [
      'a chain too long',
      `${TOOL} when { ${Array(150).fill('context.quarantined').join(' && ')} };`,
      'policy/too-complex policies/a.cedar:1:1',
    ],
    [
      'conditions without end',
      `${TOOL} ${'when { true } '.repeat(600)};`,
      'policy/too-complex policies/a.cedar:1:1',
    ],
    [
      'alternatives that the engine fails on',
      `${TOOL} when { ${'if true then true else '.repeat(650)} true };`,
      'policy/too-complex policies/a.cedar:1:1',
    ],
    [
      'a policy too long',
      `${TOOL} when { "${'x'.repeat(20_000)}" == "" };`,
      'policy/too-complex policies/a.cedar:1:1',
    ],
  ])('%s', (_, text, wanted) => {
    expect(placesIn(repository({ 'a.cedar': text }))).toEqual([wanted])
  })

  test('that is an error lets nothing be decided', () => {
    const root = repository({ 'a.cedar': `${TOOL} when { context.x };` })
    expect(() => openPolicies(root, CONFIG)).toThrow(
      'the policies have 1 error: policies/a.cedar:1:75',
    )
  })

  test('that is a warning does not', () => {
    const root = repository({ 'a.cedar': `${TOOL} when { false };` })
    expect(openPolicies(root, CONFIG).decide(handoff).decision).toBe('allow')
  })
})

test('all faults are reported at once, in the order of the files', () => {
  const root = repository({
    'b/z.cedar': `${TOOL};\n${TOOL} when { context.y };\n${TOOL}`,
    'a.cedar': `${TOOL} when { context.x };permit (principal, action, resource);`,
    'notes.md': 'no policy',
  })
  expect(placesIn(root)).toEqual([
    'policy/type policies/a.cedar:1:75',
    'policy/widens-handoff policies/a.cedar:1:87',
    'policy/type policies/b/z.cedar:2:75',
    'policy/syntax policies/b/z.cedar:3:67',
  ])
})

test('a secret in a policy is not repeated', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const root = repository({
    'a.cedar': `${TOOL} when { context.${secret} };\n@${secret}("x") ${TOOL};`,
  })
  const { faults } = inspectIn(root)
  expect(faults).toHaveLength(2)
  expect(JSON.stringify(faults)).not.toContain(secret)
})

test('ids tell folders, files and numbers apart', () => {
  const root = repository({
    'a.cedar': `${TOOL};${TOOL};`,
    'b/a.cedar': `${TOOL};@id("x")${TOOL};`,
    'C.CEDAR': `${TOOL};`,
  })
  const own = inspectIn(root).policies.filter(({ place }) => place)
  expect(own.map(({ id }) => id)).toEqual([
    'C.CEDAR#1',
    'a.cedar#1',
    'a.cedar#2',
    'b/a.cedar#1',
    'b/a.cedar#x',
  ])
})
