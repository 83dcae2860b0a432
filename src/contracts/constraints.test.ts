import { expect, test } from 'vitest'
import { missingRules, rulesIn } from './constraints.ts'

const RULE = 'R-003: Never force-push. `scope: git push*`'

test.each([
  ['a session context', { payload: { context: { constraints: [RULE] } } }],
  ['a session context with one constraint', { payload: { context: { constraints: RULE } } }],
  ['an agent handoff', { context: { request: { constraints: [RULE] } } }],
  ['a prompt package', { constraints: { must_cite_sources: true, standing_rules: [RULE] } }],
])('the rules of %s are read with id and scope', (_, document) => {
  expect(rulesIn(document)).toMatchObject([
    { kind: 'rule', id: 'R-003', scope: 'git push*', text: 'Never force-push.', source: RULE },
  ])
})

test.each([null, [], 'text', { constraints: [7] }, { payload: { context: null } }])(
  '%j holds no rules',
  document => expect(rulesIn(document)).toEqual([]),
)

test.each([
  ['its words', 'never  force-push'],
  ['its id', 'R-3: Do not force-push.'],
])('a rule that constraints hold by %s is not missing', (_, own) => {
  expect(missingRules([own], [RULE, 'R-004: Sign commits.'])).toEqual(['R-004: Sign commits.'])
})
