import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { as, checkDocument, headerOf, recognise } from '../../contract/index.ts'
import { readDocuments } from '../../document/index.ts'
import { loadContract } from '../catalogue.ts'
import contract from './contract.ts'
import { REQUIRED_SECTIONS } from './sections.ts'

const sections = (count: number) => REQUIRED_SECTIONS.slice(0, count)

describe('a text is taken for a handoff document', () => {
  test.each([
    ['by its name under handoffs, whatever it holds', {}, 'a/handoffs/2026-02-11T14-30-00Z-x.md'],
    ['by the shorter form of the name', {}, 'handoffs/20260211T143000Z-x.md'],
    ['as a draft', {}, 'handoffs/20260211T143000Z-x.draft.md'],
    ['by three keys of its frontmatter', { frontmatter: { mode: 1, adr_id: 1, agent: 1 } }, 'a.md'],
    ['by four of its sections under handoffs', { sections: sections(4) }, 'handoffs/a.md'],
    ['by them and a name like one', { sections: sections(4) }, 'HANDOFF-a.md'],
  ])('%s', (_, value, name) => {
    expect(recognise(value, name, [contract], 'walk')?.contract).toBe(contract)
  })
})

describe('a text is passed over', () => {
  test.each([
    ['with another name under handoffs', { sections: [] }, 'handoffs/README.md'],
    ['with a dated name elsewhere', { sections: [] }, 'posts/2026-02-11T14-30-00Z-x.md'],
    ['with other frontmatter', { frontmatter: { name: 'a', mode: 'b', agent: 'c' } }, 'a.md'],
    ['with three of the sections', { frontmatter: null, sections: sections(3) }, 'a.md'],
    ['with nothing of it', { frontmatter: [], sections: [null, 1] }, ''],
  ])('%s', (_, value, name) => {
    expect(recognise(value, name, [contract], 'named')).toBeUndefined()
  })

  test('with its sections elsewhere, unless it is named', () => {
    const found = (certainty: 'walk' | 'named') =>
      recognise({ sections: sections(4) }, 'a.md', [contract], certainty)?.contract
    expect([found('walk'), found('named')]).toEqual([undefined, contract])
  })
})

test('the header says who wrote it, what it belongs to, and what it carries on', () => {
  const frontmatter = {
    mode: 'RESUME',
    adr_id: 'ADR-0.0.25',
    timestamp: '2026-02-11T14:30:00Z',
    agent: 'claude-code',
    continues_from: 'handoffs/a.md',
  }
  expect(headerOf(contract, { frontmatter, sections: [] })).toEqual({
    from: 'claude-code',
    correlation: 'ADR-0.0.25',
    createdAt: '2026-02-11T14:30:00Z',
    continues: 'handoffs/a.md',
  })
})

const EXAMPLE = join(import.meta.dirname, 'fixtures/valid/predecessor-exists.md')

test.each([
  ['a blank line', '\n', 2],
  ['a comment of two lines', '<!-- by hand\n-->\n', 3],
  ['a title', '# Handoff\r\n\r\n', 3],
  ['a title right above it', '\n  # Handoff\n', 3],
  ['a title without a sign', 'Handoff\n\n', 3],
])('frontmatter below %s is said to be too low', async (_, above, line) => {
  const text = above + readFileSync(EXAMPLE, 'utf8')
  expect(await missingFrontmatter(text)).toContain(`begins on line ${line}: move it`)
})

test.each([
  ['nothing like it', '## Current State Summary\n\nIt works.\n'],
  ['a thematic break', '# Title\n\n---\n\nNote: this works.\n\n---\n'],
  ['a heading underlined', 'Some heading\n---\nNote: this works.\n\nOther\n---\n'],
  ['an example in a fence', '# Title\n\n```yaml\n---\nmode: CREATE\n---\n```\n'],
  ['a fence', '```\n\n---\nmode: CREATE\n---\n```\n'],
  ['a rule below a title and a word', '# Title\n\nNotes\n\n---\nmode: CREATE\n---\n'],
  ['a rule below an entry', '- Title\n\n---\nmode: CREATE\n---\n'],
  ['a rule below a paragraph', '# Title\n\nIt works.\n\n---\nmode: CREATE\n---\n'],
  ['a block that is not closed', '\n---\nmode: CREATE\n\n## Current State Summary\n'],
])('where %s stands, frontmatter is only missing', async (_, text) => {
  expect(await missingFrontmatter(text)).toMatch(/^add it/)
})

test.each([
  ['----', '----\nmode: CREATE\n----\n'],
  ['—', '—\r\nmode: CREATE\r\n—\r\n'],
  ['+++', "+++\nmode = 'CREATE'\n+++\n"],
])('a first line %s is said to be no beginning of frontmatter', async (line, text) => {
  expect(await missingFrontmatter(text)).toBe(
    `frontmatter begins and ends with a line '---', not '${line}', and is YAML`,
  )
})

/** What is said to do about frontmatter that is missing. */
async function missingFrontmatter(text: string): Promise<string | undefined> {
  const [document] = (await readDocuments(text, 'markdown')).documents
  if (!document) throw new Error('nothing was read')
  const loaded = await loadContract(contract)
  const { diagnostics } = checkDocument(document, as(contract, document.value), loaded, { now: 0 })
  return diagnostics.find(d => d.code === 'schema/required' && d.path === '/frontmatter')?.hint
}
