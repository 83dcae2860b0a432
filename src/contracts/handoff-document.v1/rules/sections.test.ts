import { expect, test } from 'vitest'
import { readDocuments } from '../../../document/index.ts'
import type { HandoffDocument } from '../schema.ts'
import { sectionRules } from './sections.ts'

test('every section that is there again names the line of the first with its title', async () => {
  const text = ['a', 'b', 'a', 'c', 'b', 'a'].map(title => `## ${title}\n`).join('')
  const [document] = (await readDocuments(text, 'markdown')).documents
  if (!document) throw new Error('nothing was read')
  const rule = sectionRules['no-duplicate-sections']
  const found = rule.check(document.value as HandoffDocument, { now: 0, document, facts: {} })
  expect([...found].map(({ path, message }) => [path, message])).toEqual([
    [['sections', 2], "the section 'a' already exists in line 1"],
    [['sections', 4], "the section 'b' already exists in line 2"],
    [['sections', 5], "the section 'a' already exists in line 1"],
  ])
})
