import { describe, expect, test } from 'vitest'
import type { Span } from './document.ts'
import { readMarkdown } from './markdown.ts'

const slice = (text: string, span: Span) => text.slice(span.start, span.end)
const codes = (text: string) => {
  const markdown = readMarkdown(text)
  return markdown.codeSpans(markdown.body).map(code => code.text)
}

describe('fences', () => {
  test.each([
    ['a plain one', '```json\n{}\n```\n', 'json', '{}\n', '```json\n{}\n```'],
    [
      'one of tildes',
      '~~~ YAML title="x"\na: 1\n~~~~\n',
      'yaml',
      'a: 1\n',
      '~~~ YAML title="x"\na: 1\n~~~~',
    ],
    ['one without a word', '```\na\n```', '', 'a\n', '```\na\n```'],
    ['one with an entity in its word', '```js&#111;n\n```', 'json', '', '```js&#111;n\n```'],
    ['one that is never closed', '```json\n{\n', 'json', '{\n', '```json\n{\n'],
    [
      'one inside a list item',
      '- a\n\n  ```json\n  {\n    "b": 1\n  }\n  ```\n',
      'json',
      '{\n  "b": 1\n}\n',
      '```json\n  {\n    "b": 1\n  }\n  ```',
    ],
    [
      'one inside a quote',
      '> ```json\n> {\n>  "a": 1}\n> ```\n',
      'json',
      '{\n "a": 1}\n',
      '```json\n> {\n>  "a": 1}\n> ```',
    ],
    [
      'one right after a list mark',
      '1. ```json\n   {}\n   ```\n',
      'json',
      '{}\n',
      '```json\n   {}\n   ```',
    ],
    [
      'one inside a quote inside a list',
      '- > ~~~json\n  > {}\n  > ~~~\n',
      'json',
      '{}\n',
      '~~~json\n  > {}\n  > ~~~',
    ],
    [
      'one that is indented itself',
      '  ```json\n   {}\n {}\n  ```\n',
      'json',
      ' {}\n{}\n',
      '```json\n   {}\n {}\n  ```',
    ],
    [
      'one indented with a tab',
      '- a\n\n\t```json\n\t{}\n\t```\n',
      'json',
      '{}\n',
      '```json\n\t{}\n\t```',
    ],
    [
      'one with blank lines in a list',
      '- ```json\n  [\n\n  ]\n  ```\n',
      'json',
      '[\n\n]\n',
      '```json\n  [\n\n  ]\n  ```',
    ],
  ])('%s', (_, text, info, content, whole) => {
    const [fence] = readMarkdown(text).fences
    expect(fence?.info).toBe(info)
    expect(fence?.text).toBe(content)
    expect(fence && slice(text, fence.span).trimEnd()).toBe(whole.trimEnd())
  })

  test('every character of the content is found in the file, a split tab at the tab', () => {
    const text = '> 1. a\n>\n>    ```json\r\n>    {"k":\r\n>\r\n> \t\t "v"}\r\n>    ```\r\n'
    const [fence] = readMarkdown(text).fences
    const content = fence?.text ?? ''
    expect(content).toBe('{"k":\n\n    "v"}\n')
    const found = [...content].map((_c, offset) => text[fence?.toSource(offset) ?? 0])
    expect(found.join('')).toBe('{"k":\r\r\t\t\t "v"}\r')
    expect(fence?.toSource(content.length)).toBe(text.lastIndexOf('>    ```'))
  })

  test('the end of an empty one is the line after its opening', () => {
    const text = '```json\r\n```'
    expect(readMarkdown(text).fences[0]?.toSource(0)).toBe(9)
  })

  test('the line is the one of the opening fence, counted from 1', () => {
    const text = '---\r\na: 1\r\n---\r\n\r\n- x\r\n\r\n  ```json\r\n  ```\r\n~~~\n~~~'
    expect(readMarkdown(text).fences.map(fence => fence.line)).toEqual([7, 9])
  })

  test('a fence in a comment is none', () => {
    expect(readMarkdown('<!--\n```json\n{}\n```\n-->').fences).toEqual([])
  })
})

describe('code spans', () => {
  test.each([
    ['a plain one', 'a `b` c', ['b']],
    [
      'several, in any inline place',
      '# `a`\n\n- *`b`* [`c`](d)\n\n> ![`e`](f)\n',
      ['a', 'b', 'c', 'e'],
    ],
    ['one with backticks in it', '``a ` b``', ['a ` b']],
    ['one space at both ends is dropped', '` `` `', ['``']],
    ['a span of spaces keeps them', '`  `', ['  ']],
    ['a line end is a space', '`a\nb`', ['a b']],
    ['marks of a quote are no content', '> `a\n> b`', ['a b']],
    ['a backslash escapes the opening', '\\`a` b`', [' b']],
    ['a backslash escapes nothing inside', '`a\\` b`', ['a\\']],
    ['a run without its like is text', '``a` b', []],
    ['a run must match in length', '```a``b```', ['a``b']],
    ['the first opening wins over emphasis', '*a `b* c`', ['b* c']],
    ['HTML wins where it begins first', '<a href="`">`', []],
    ['an autolink wins where it begins first', '<https://a.b/`>`', []],
    ['an autolink to any scheme wins', '<javascript:`>`', []],
    ['none in a fence', '```\n`a`\n```', []],
    ['none in indented code', '    `a`', []],
    ['none in an HTML block', '<div>\n`a`\n</div>', []],
    ['none in a comment', 'x <!-- `a` -->', []],
    ['none in the address or title of a link', '[a](`b`) [c](d "`e`")', []],
    ['none in the label of a reference', '[a][`b`]\n\n[`b`]: c', []],
    ['but in a label that refers to nothing', '[a][`b`]', ['b']],
    ['none in a link definition', '[`a`]: `b`\n', []],
    ['one does not reach over the end of a paragraph', '`a\n\nb`', []],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected)
  })

  test('only those within the stretch are found, with their backticks', () => {
    const text = '`a` `b` `c`\n\n- `d\n  e`\n\n`f`'
    const { codeSpans } = readMarkdown(text)
    const found = codeSpans({ start: 1, end: text.length - 1 })
    expect(found.map(code => slice(text, code.span))).toEqual(['`b`', '`c`', '`d\n  e`'])
    expect(codeSpans({ start: 4, end: 7 }).map(code => code.text)).toEqual(['b'])
    expect(codeSpans({ start: 5, end: 7 })).toEqual([])
  })
})
