import { describe, expect, test } from 'vitest'
import type { Span } from './document.ts'
import { readMarkdown } from './markdown.ts'

const slice = (text: string, span: Span) => text.slice(span.start, span.end)
const titles = (text: string) => readMarkdown(text).sections.map(s => `${s.level} ${s.title}`)
const comments = (text: string) => readMarkdown(text).comments.map(span => slice(text, span))

describe('frontmatter', () => {
  test.each([
    [
      'stands between two lines of three dashes',
      '---\na: 1\nb: 2\n---\n# T\n',
      'a: 1\nb: 2\n',
      '# T\n',
    ],
    ['may be empty', '---\n---\n# T\n', '', '# T\n'],
    ['may have spaces and tabs after its dashes', '--- \na: 1\n---\t \nx', 'a: 1\n', 'x'],
    ['may be all there is', '---\na: 1\n---', 'a: 1\n', ''],
    ['keeps its own line ends', '---\r\na: 1\r\n---\r\nx', 'a: 1\r\n', 'x'],
    ['may follow a byte order mark', '\uFEFF---\na: 1\n---\nx', 'a: 1\n', 'x'],
    [
      'is not closed by more or by indented dashes',
      '---\na\n----\n ---\n--- x\n---\nx',
      'a\n----\n ---\n--- x\n',
      'x',
    ],
    ['may end its lines with a lone carriage return', '---\ra: 1\r---\rx', 'a: 1\r', 'x'],
  ])('%s', (_, text, inner, body) => {
    const markdown = readMarkdown(text)
    expect(markdown.frontmatter?.text).toBe(inner)
    expect(markdown.frontmatter && slice(text, markdown.frontmatter.span)).toBe(inner)
    expect(slice(text, markdown.body)).toBe(body)
    expect(markdown.frontmatterOpen).toBe(false)
  })

  test.each([
    ['a first line of dashes that nothing closes is reported', '---\na: 1\n# T', true],
    ['a first line of dashes is not closed by itself', '---\n', true],
    ['dashes on the second line begin no frontmatter', '\n---\na: 1\n---\n', false],
    ['indented dashes begin no frontmatter', ' ---\na: 1\n---\n', false],
    ['four dashes begin no frontmatter', '----\na: 1\n----\n', false],
    ['an empty text has none', '', false],
  ])('%s', (_, text, open) => {
    const markdown = readMarkdown(text)
    expect(markdown.frontmatter).toBeUndefined()
    expect(markdown.frontmatterOpen).toBe(open)
    expect(markdown.body).toEqual({ start: 0, end: text.length })
  })

  test('what follows it is located in the whole text', () => {
    const text = '---\na: 1\n---\n# T\n\n```json\n{}\n```\n<!-- c -->\n`x`'
    const { sections, fences, comments: found, codeSpans, body } = readMarkdown(text)
    expect(sections.map(s => slice(text, s.heading))).toEqual(['# T'])
    expect(fences[0]?.line).toBe(6)
    expect(fences[0] && text[fences[0].toSource(0)]).toBe('{')
    expect(found.map(span => slice(text, span))).toEqual(['<!-- c -->'])
    expect(codeSpans(body).map(c => slice(text, c.span))).toEqual(['`x`'])
  })
})

describe('sections', () => {
  test.each([
    ['ATX headings of level 1 and 2 count', '# A\n\n## B\n\n### C\n', ['1 A', '2 B']],
    ['setext headings count', 'A\n===\n\nB\n---\n', ['1 A', '2 B']],
    ['the closing marks of an ATX heading are no title', '##   A #b ##  \n', ['2 A #b']],
    ['an ATX heading may be empty', '##\n# #\n', ['2 ', '1 ']],
    ['a title stays raw', '## *A* `b` [c](d) &amp; \\#\n', ['2 *A* `b` [c](d) &amp; \\#']],
    ['up to three spaces may stand before a heading', '   ## A\n', ['2 A']],
    ['four spaces make it code', '    ## A\n', []],
    ['no space after the marks makes it text', '##A\n', []],
    ['a heading may end a paragraph', 'text\n## A\n', ['2 A']],
    ['a heading in a backtick fence does not count', '```\n## A\n```\n## B\n', ['2 B']],
    ['a heading in a tilde fence does not count', '~~~~\n## A\n~~~\n~~~~\n## B\n', ['2 B']],
    ['a heading in an unclosed fence does not count', '```\n## A\n', []],
    ['a heading in a quote does not count', '> ## A\n\n> B\n> ---\n', []],
    ['a heading in a list does not count', '- ## A\n\n  ## B\n\n1. C\n   ===\n', []],
    ['a heading in a comment does not count', '<!--\n## A\n-->\n## B\n', ['2 B']],
    ['a heading in an HTML block does not count', '<div>\n## A\n\n## B\n', ['2 B']],
    ['an unclosed comment hides every heading below', '## A\n\n<!-- x\n\n## B\n\n# C\n', ['2 A']],
    ['a comment that begins inside a paragraph hides no heading', 'a <!--\n## B\n-->\n', ['2 B']],
    ['a thematic break under a blank line is no heading', 'A\n\n---\n', []],
    ['dashes under a quote are no heading', '> A\n---\n', []],
    ['a setext heading may have several lines', 'A\nB\n---\n', ['2 A\nB']],
    ['an HTML heading does not count', '<h2>A</h2>\n', []],
    ['a link definition is no heading', '[a]: b\n---\n', []],
  ])('%s', (_, text, expected) => {
    expect(titles(text)).toEqual(expected)
  })

  test('a section runs to the next heading of level 1 or 2', () => {
    const text = 'intro\n\n## A #\nx\n### a\ny\nB\n---\n# C'
    const found = readMarkdown(text).sections.map(s => [
      slice(text, s.heading),
      slice(text, s.content),
    ])
    expect(found).toEqual([
      ['## A #', 'x\n### a\ny\nB\n---\n'.slice(0, 8)],
      ['y\nB\n---', ''],
      ['# C', ''],
    ])
  })
})

describe('comments', () => {
  test.each([
    ['one on a line of its own', '<!-- a -->\n', ['<!-- a -->']],
    ['one over several lines and blank lines', '<!-- a\n\n## b\n-->\n', ['<!-- a\n\n## b\n-->']],
    ['one inside a paragraph', 'a <!-- b\nc --> d', ['<!-- b\nc -->']],
    ['one inside a heading', '## A <!-- b -->\n', ['<!-- b -->']],
    ['one inside a list item', '- <!-- a -->\n- b <!-- c -->\n', ['<!-- a -->', '<!-- c -->']],
    ['one inside a quote, with the marks between', '> <!-- a\n> b -->\n', ['<!-- a\n> b -->']],
    [
      'one inside emphasis and a link',
      '*a <!-- b -->* [c <!-- d -->](e)',
      ['<!-- b -->', '<!-- d -->'],
    ],
    ['one inside the description of an image', 'x ![a <!-- b -->](c)', ['<!-- b -->']],
    ['several on a line', '<!-- a --> b <!-- c -->\n', ['<!-- a -->', '<!-- c -->']],
    ['the short forms', 'a <!--> b <!---> c', ['<!-->', '<!--->']],
    ['the short form at the start of a line', '<!-->\nb -->\n', ['<!-->']],
    ['one that holds two dashes', 'a <!-- b -- c -->', ['<!-- b -- c -->']],
    ['one in an HTML block', '<div>\n<!-- a -->\n</div>\n', ['<!-- a -->']],
    ['one in an HTML block of any tag', '<present>\n<!-- a -->\n', ['<!-- a -->']],
    ['one after other HTML that is not closed', 'a <? b <!-- c -->', ['<!-- c -->']],
    [
      'one after a bracket and before one that is not closed',
      '[ a <!-- b --> <!--',
      ['<!-- b -->'],
    ],
    ['a short form before one that is not closed', '[ <!--> <!--', ['<!-->']],
    ['none in a code span', '`<!-- a -->`', []],
    ['none in a fence', '```\n<!-- a -->\n```\n', []],
    ['none in indented code', '    <!-- a -->\n', []],
    ['none after a backslash', '\\<!-- a -->', []],
    ['none in an attribute', 'x <b title="<!-- a -->">', []],
    ['none in an attribute of an HTML block', '<div title="<!-- a -->">\n', []],
    ['none in a script', '<script>\n<!-- a -->\n</script>\n', []],
    ['none in character data', 'x <![CDATA[<!-- a -->]]>', []],
    ['none in the title of a link', '[a](b "<!-- c -->")', []],
    ['none in the address of a link', '[a](<!--b-->)', []],
    ['none in a link definition', '[a]: b "<!-- c -->"\n', []],
    ['none where a paragraph ends before it is closed', 'a <!-- b\n\nc -->', []],
    ['none where a quote ends before it is closed', '> <!-- a\n\nb -->', []],
  ])('%s', (_, text, expected) => {
    expect(comments(text)).toEqual(expected)
  })

  test.each([
    ['to the end of the document', 'a\n\n<!-- b\n\n## c\n', ['<!-- b\n\n## c']],
    ['to the end of its quote', '> <!-- a\n> b\n\nc', ['<!-- a\n> b']],
    ['to the end of its list item', '- <!-- a\n- b', ['<!-- a']],
    ['but not if it is closed', '<!-- a\n\n-->', []],
    ['but not inside a heading', '# <!-- a\n', []],
    ['but not inside a paragraph', 'a <!-- b\n', []],
  ])('an unclosed one at the start of a line reaches %s', (_, text, expected) => {
    const { unclosedComments, comments: closed } = readMarkdown(text)
    expect(unclosedComments.map(span => slice(text, span).trimEnd())).toEqual(expected)
    if (expected.length > 0) expect(closed).toEqual([])
  })
})

describe('a section is blank', () => {
  test.each([
    ['with nothing', ''],
    ['with blank lines', '\n  \n\t\n'],
    ['with thematic breaks', '---\n\n* * *\n'],
    ['with comments', '<!-- a -->\n\n<!-- b\n\nc --> <!-- d -->\n'],
    ['with a comment in an empty list item', '- <!-- a -->\n-\n'],
    ['with a comment in an empty quote', '> <!-- a -->\n'],
    ['with an unclosed comment', '<!-- a\n\nb\n'],
    ['with link definitions, which show nothing', '[//]: # (a)\n'],
    ['with a link definition to any scheme', '[a]: javascript:b\n'],
    ['with an empty fence', '```\n```\n'],
    [
      'with what only looks blank is no content',
      '\u200b\n\n\u00a0\u2060\n\n- &nbsp;\n\n<!-- a -->\u00ad\n',
    ],
  ])('%s', (_, content) => {
    const { sections, isBlank } = readMarkdown(`## A\n${content}`)
    expect(sections.map(section => isBlank(section.content))).toEqual([true])
  })

  test.each([
    ['text', 'a\n'],
    ['text next to a comment', '<!-- a --> b\n'],
    ['text before a comment', 'b <!-- a -->\n'],
    ['a list', '- a\n'],
    ['a deeper heading', '### a\n'],
    ['code', '    a\n'],
    ['a fence', '```\na\n```\n'],
    ['HTML', '<br>\n'],
    ['a comment in code', '`<!-- a -->`\n'],
    ['an image', '![](a)\n'],
    ['an emoji', '\u2764\ufe0f\n'],
    ['an entity that is seen', '&mdash;\n'],
  ])('but not with %s', (_, content) => {
    const { sections, isBlank } = readMarkdown(`x\n\n## A\n${content}\n## B\n`)
    expect(sections.map(section => isBlank(section.content))).toEqual([false, true])
  })
})

test('what only borders on a stretch does not stand in it', () => {
  const { isBlank } = readMarkdown('a\n\nb')
  expect(isBlank({ start: 1, end: 3 })).toBe(true)
  expect(isBlank({ start: 0, end: 1 })).toBe(false)
  expect(isBlank({ start: 2, end: 4 })).toBe(false)
})

test('a line in too many quotes or lists is pointed out', () => {
  const text = `a\n\n${'> '.repeat(40)}b\n`
  const { tooDeep } = readMarkdown(text)
  expect(tooDeep && slice(text, tooDeep)).toBe(`${'> '.repeat(8)}b`)
  expect(readMarkdown(`${'> '.repeat(30)}b`).tooDeep).toBeUndefined()
  expect(readMarkdown('> '.repeat(32)).tooDeep).toBeUndefined()
  expect(readMarkdown(`${'- '.repeat(15)}b`).tooDeep).toBeUndefined()
  expect(readMarkdown(`${'- '.repeat(17)}b`).tooDeep).toBeDefined()
})

test('a byte order mark stands before the body and changes nothing', () => {
  const text = '\uFEFF# A\n'
  expect(titles(text)).toEqual(['1 A'])
  expect(readMarkdown(text).body.start).toBe(1)
})
