import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { expect, test } from 'vitest'
import { readDocuments } from '../../document/index.ts'
import { countItems } from './next-steps.ts'

const parser = new MarkdownIt('commonmark')

async function count(body: string): Promise<number> {
  const text = `## Immediate Next Steps\n\n${body}`
  const { documents } = await readDocuments(text, 'markdown')
  const markdown = documents[0]?.markdown
  const content = markdown?.sections[0]?.content
  if (!markdown || !content) throw new Error('no section')
  const hidden = [...markdown.fences.map(f => f.span), ...markdown.comments]
  return countItems(
    text,
    content,
    hidden.sort((a, b) => a.start - b.start),
  )
}

test.each([
  ['nothing', '', 0],
  ['numbers and brackets', '1. a\n2) b\n3) c', 3],
  ['nested items', '- a\n  - b\n    1. c\n- d', 2],
  ['items nested under a number by three columns', '1. a\n   - b', 1],
  ['items under a number by two columns are not nested', '1. a\n  - b', 2],
  ['a number in the middle of a sentence', 'It was in\n2026. Then\n1. begin', 1],
  ['thematic breaks', '- - -\n* * *\n- a', 1],
  ['a fence, a comment and a quote', '```\n- a\n```\n<!--\n- b\n-->\n> - c\n', 0],
  ['indented code', 'text\n\n    - a', 0],
  ['tabs', '-\ta\n\t- b\n- c', 2],
  ['carriage returns', '- a\r- b\r\n- c', 3],
  ['no space after the mark', '-a\n1.b', 0],
])('counts %s', async (_, body, items) => {
  expect(await count(body)).toBe(items)
})

test('agrees with CommonMark on any mixture of lines', async () => {
  const indent = fc.constantFrom('', '', ' ', '  ', '   ')
  const text = fc.constantFrom(
    ...['- a', '* b', '+ c', '1. d', '2. e', '10) f', 'text', '', '', '- - g', '- 1. h'],
    ...['---', '* * *', '> q', '> - q', '### i', '```', '-     j', '- ```', '- > k', '<!-- l -->'],
  )
  const bare = fc.constantFrom('-', '3.')
  const line = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(indent, text).map(parts => parts.join('')) },
    { weight: 1, arbitrary: bare },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async lines => {
      const body = lines.join('\n')
      // A setext heading of level 2 would end the section.
      const outline = parser.parse(body, {})
      fc.pre(!outline.some(token => token.type === 'heading_open' && token.tag !== 'h3'))
      const items = outline.filter(token => token.type === 'list_item_open' && token.level === 1)
      expect(await count(body)).toBe(items.length)
    }),
    { numRuns: 3000 },
  )
})
