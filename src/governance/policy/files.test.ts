import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
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

test('1,000 files with a policy each are read, and each of them decides', {
  timeout: 60_000,
}, () => {
  const files = Array.from({ length: 1_000 }, (_, i) => [
    `p${i}.cedar`,
    `${HANDOFF} when { principal.version == "${i}.0.0" };`,
  ])
  const policies = openPolicies(repository(Object.fromEntries(files)), CONFIG)
  expect(policies.policies.filter(({ place }) => place)).toHaveLength(1_000)
  for (const i of [2, 500, 999]) {
    const outcome = policies.decide({
      ...handoff,
      source: { ...handoff.source, version: `${i}.0.0` },
    })
    expect(outcome.determining.map(({ id }) => id)).toEqual([`p${i}.cedar#1`])
  }
})

test('more policies than are read are one fault, and none of them decides', () => {
  const root = repository({ 'a.cedar': 'forbid(principal,action,resource);'.repeat(2_001) })
  expect(placesIn(root)).toEqual(['policy/too-large policies/a.cedar:1:68001'])
  expect(() => openPolicies(root, CONFIG)).toThrow('more than 2000 policies')
})

test('more files than are read are one fault', () => {
  const root = repository({})
  for (let i = 0; i <= 2_000; i++) writeFileSync(join(root, 'policies', `${i}.cedar`), '')
  expect(placesIn(root)).toEqual(['policy/too-large policies:1:1'])
})
describe('what a folder may hold next to files', () => {
  const outside = mkdtempSync(join(tmpdir(), 'waybill-outside-'))
  afterAll(() => rmSync(outside, { recursive: true }))
  writeFileSync(join(outside, 'x.cedar'), `${TOOL};`)

  test('a link that leads out of the repository, or nowhere, is refused', () => {
    const root = repository({ 'a.cedar': `${TOOL};` })
    symlinkSync(join(outside, 'x.cedar'), join(root, 'policies/b.cedar'))
    symlinkSync('nowhere', join(root, 'policies/c.cedar'))
    symlinkSync(outside, join(root, 'policies/d'))
    expect(placesIn(root)).toEqual([
      'policy/outside policies/b.cedar:1:1',
      'policy/outside policies/c.cedar:1:1',
      'policy/outside policies/d:1:1',
    ])
  })

  test('a link inside the repository is read', () => {
    const root = repository({})
    writeFileSync(join(root, 'shared.cedar'), `${TOOL};`)
    symlinkSync('../shared.cedar', join(root, 'policies/b.cedar'))
    const { faults, policies } = inspectIn(root)
    expect(faults).toEqual([])
    expect(policies.at(-1)?.id).toBe('b.cedar#1')
  })

  test('a pipe under the name of a policy is refused, and no process waits for it', () => {
    const root = repository({})
    execFileSync('mkfifo', [join(root, 'policies/a.cedar')])
    expect(placesIn(root)).toEqual(['policy/unreadable policies/a.cedar:1:1'])
  })

  test('what .gitignore names counts all the same', () => {
    const root = repository({ 'a.cedar': `${TOOL} when { context.x };`, '.gitignore': '*\n' })
    expect(placesIn(root)).toEqual(['policy/type policies/a.cedar:1:75'])
  })
})

test.each([
  ['a folder that is not there', { policies: 'rules' }, 'folder rules does not exist'],
  ['a file', { policies: 'policies/a.cedar' }, 'folder policies/a.cedar does not exist'],
  ['a folder outside', { policies: '..' }, '.. is not inside the repository'],
])('%s under policies: is an error of the configuration', (_, config, message) => {
  const root = repository({ 'a.cedar': `${TOOL};` })
  expect(() => openPolicies(root, config)).toThrow(message)
})
