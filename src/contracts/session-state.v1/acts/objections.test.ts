import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rules } from '../rules.ts'
import { type Basis, isGuard } from './objections.ts'

const loaded = rules as unknown as Basis['rules']
const sources = globSync('*.ts', { cwd: import.meta.dirname })
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

test('everything that speaks against an act is said under the name of a rule, which can be explained', () => {
  const named = [...sources.matchAll(/against\(\s*'([^']+)'|'session-state\/([a-z0-9-]+)'/g)]
  expect(named.length).toBeGreaterThan(10)
  const unknown = named.map(([, a, b]) => a ?? b ?? '').filter(name => !Object.hasOwn(rules, name))
  expect(unknown).toEqual([])
})

test('every rule about a move, and every one that the gates rest on, is a guard that no configuration makes lighter', () => {
  const guards = Object.keys(rules).filter(name => isGuard(`session-state/${name}`, loaded))
  const [, list = ''] = /const GUARDS[^=]*= new Set\(\[([^\]]*)\]/.exec(sources) ?? []
  const listed = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
  expect(listed.length).toBeGreaterThan(8)
  expect(listed.filter(name => !guards.includes(name))).toEqual([])
  const transitions = Object.entries(rules).filter(([, rule]) => 'phase' in rule)
  expect(transitions.map(([name]) => name).filter(name => !guards.includes(name))).toEqual([])
  expect(guards).not.toContain('relative-paths')
})
