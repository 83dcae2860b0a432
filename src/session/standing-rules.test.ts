import { afterEach, beforeEach, expect, test } from 'vitest'
import { handoffWithRules, RULE, RULE_PATH } from '../../test/standing-rule.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { standingRules } from './standing-rules.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const LATER = 'handoffs/2026-02-11T09-00-00Z-later.md'
const later = (rule: string) =>
  handoffWithRules([rule], `continues_from: ${RULE_PATH}\n`).replace('02-10T09', '02-11T09')

test('a repository without handoffs has no standing rules', async () => {
  folder.write('README.md', '# Nothing\n')
  expect(await standingRules(folder.root, {})).toEqual([])
})

test('the rules in force after the newest handoff are given word for word', async () => {
  folder.write(RULE_PATH, handoffWithRules([RULE, 'R-004: Sign commits.']))
  folder.write(LATER, later('R-005: Merge by hand (supersedes R-004, by Ada).'))
  expect(await standingRules(folder.root, {})).toEqual([
    { text: RULE, since: RULE_PATH },
    { text: 'R-005: Merge by hand (supersedes R-004, by Ada).', since: LATER },
  ])
  expect(await standingRules(folder.root, { ignore: ['handoffs/'] })).toEqual([])
})

test('a rule that a successor numbers is given with that number', async () => {
  folder.write(RULE_PATH, handoffWithRules(['Never force-push.']))
  folder.write(LATER, later('R-003: Never force-push.'))
  expect(await standingRules(folder.root, {})).toEqual([
    { text: 'R-003: Never force-push.', since: RULE_PATH },
  ])
})

test.each(['# Notes\n', '---\nmode: [\n---\n\n## Important Context\n'])(
  'a newer file that cannot be read as a handoff hides no rule: %j',
  async text => {
    folder.write(RULE_PATH, handoffWithRules())
    folder.write('handoffs/2026-02-12T09-00-00Z-broken.md', text)
    expect(await standingRules(folder.root, {})).toMatchObject([{ text: RULE }])
  },
)
