import fc from 'fast-check'
import MarkdownIt, { type Token } from 'markdown-it'
import { expect, test } from 'vitest'
import type { Span } from './document.ts'
import { type Markdown, readMarkdown } from './markdown.ts'

const PREFIXES = ['> ', '>', '- ', '* ', '1. ', '2) ', ' ', '  ', '   ', '    ', '\t', '>\t', '-\t']
const PIECES = [
  '',
  '',
  'a',
  'b c',
  '# h',
  '## h ##',
  '### h',
  '===',
  '---',
  '-',
  '=',
  '***',
  '```',
  '```json',
  '~~~',
  '~~~ Yaml x',
  '````',
  '<!--',
  '-->',
  '<!-- c -->',
  'x <!-- c --> `d`',
  'x <!--',
  'y -->',
  '<!-->',
  '<!--->',
  'a <!--> `b`',
  '<div>',
  '</div>',
  '<b>',
  '<a href="`">',
  '`a`',
  '``b ` c``',
  '`',
  '``',
  '\\`a`',
  '`a\\`',
  '[a](b) `c`',
  '[a](`b`)',
  '[`a`](b "`c`")',
  '[a][`r`]',
  '[`r`]: x',
  '[r]: y',
  '[r]:',
  '"t',
  't"',
  '![`a`](b)',
  '![a ![<!-- b --> `c`](d)](e)',
  '[',
  '](',
  '](x)',
  ')',
  '][',
  ']',
  '<https://a.b/`>',
  '*a `b* c`',
  '<script>',
  '</script>',
  '<pre>',
  '&#96;',
  '\\',
  '{"a": 1}',
  '<',
  '\u00E9\u{1F600}',
  '\0',
  '\f',
  '<x@y.z>`',
  '<? `a`',
  '?>',
  '<![CDATA[ <!-- c -->',
  ']]>',
  '<!A `b`',
]
const line = fc
  .tuple(
    fc.array(fc.constantFrom(...PREFIXES), { maxLength: 4 }),
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }),
  )
  .map(([prefix, pieces]) => prefix.join('') + pieces.join(' '))
const document = fc.array(line, { maxLength: 14 }).map(lines => lines.join('\n'))

/** Drops what differs between a source and the content of a block: indentation, quote marks, NUL. */
const bare = (text: string) => text.replaceAll(/[\s>]/g, '').replaceAll('\0', '\uFFFD')
const slice = (text: string, span: Span) => text.slice(span.start, span.end)

/** The whole of CommonMark, without a shortcut of the parser that overlooks some closed comments. */
const full = new MarkdownIt('commonmark')
full.inline.ruler.before('html_inline', 'forget', state => {
  state.skipHtmlSpecial = false
  return false
})

function plainParse(text: string) {
  const tokens = full.parse(text, {})
  const inline = (token: Token): Token[] => [token, ...(token.children ?? []).flatMap(inline)]
  return { tokens, all: tokens.flatMap(inline) }
}

const OPAQUE = /^\s*<(?:(?:script|pre)(?![^\s>])|\?|![A-Z[])/

function plainComments(all: readonly Token[]): string[] {
  return all.flatMap(token => {
    if (token.type === 'html_inline') return token.content.startsWith('<!--') ? [token.content] : []
    if (token.type !== 'html_block' || OPAQUE.test(token.content)) return []
    const html =
      /<a href="`">|<\?[\s\S]*?\?>|<![A-Z][\s\S]*?>|<!\[C[\s\S]*?\]\]>|(?<comment><!--(?:-?>|[\s\S]*?-->))/g
    return [...token.content.matchAll(html)].flatMap(match => match.groups?.comment ?? [])
  })
}

const codesOf = (markdown: Markdown) => markdown.codeSpans(markdown.body)

test('it sees the headings, fences, comments and code spans of a full parse', () => {
  fc.assert(
    fc.property(document, text => {
      fc.pre(!/^---[ \t]*(?:\n|$)/.test(text))
      const { tokens, all } = plainParse(text)
      const markdown = readMarkdown(text)
      const headings = tokens.flatMap(({ type, level, tag }, index) =>
        type === 'heading_open' && level === 0 && (tag === 'h1' || tag === 'h2')
          ? [[Number(tag.slice(1)), tokens[index + 1]?.content]]
          : [],
      )
      const fences = all.filter(token => token.type === 'fence')
      const codes = all.filter(token => token.type === 'code_inline')
      expect(markdown.sections.map(({ level, title }) => [level, title])).toEqual(headings)
      expect(markdown.fences.map(fence => [fence.text, fence.line])).toEqual(
        fences.map(({ content, map }) => [content, (map?.[0] ?? -1) + 1]),
      )
      expect(codesOf(markdown).map(code => code.text)).toEqual(codes.map(code => code.content))
      expect(markdown.comments.map(span => bare(slice(text, span)))).toEqual(
        plainComments(all).map(bare),
      )
    }),
    { numRuns: 3000 },
  )
})

test('every offset leads to the very character', () => {
  fc.assert(
    fc.property(document, text => {
      const markdown = readMarkdown(text)
      for (const { text: content, toSource } of markdown.fences) {
        const same = Array.from({ length: content.length }, (_, at) => {
          const source = text[toSource(at)]?.replace('\0', '\uFFFD') ?? '\n'
          return source === content[at] || (source === '\t' && content[at] === ' ')
        })
        expect(same).not.toContain(false)
      }
      for (const { text: content, span } of codesOf(markdown)) {
        const source = slice(text, span)
        const [run = ''] = /^`+/.exec(source) ?? []
        expect(run).not.toBe('')
        expect(source.endsWith(run)).toBe(true)
        expect(bare(source.slice(run.length, -run.length))).toBe(bare(content))
      }
      for (const { heading, title } of markdown.sections) {
        expect(bare(slice(text, heading))).toContain(bare(title))
      }
      for (const span of markdown.comments) expect(slice(text, span)).toMatch(/^<!--[\s\S]*>$/)
    }),
    { numRuns: 3000 },
  )
})

test('line ends of two characters or a lone carriage return change nothing but the offsets', () => {
  fc.assert(
    fc.property(document, fc.constantFrom('\r\n', '\r'), (text, end) => {
      const other = text.replaceAll('\n', end)
      const move = (at: number) =>
        at + (text.slice(0, at).split(/\n/).length - 1) * (end.length - 1)
      const shown = (markdown: Markdown, offset: (at: number) => number) => {
        const moved = ({ start, end: last }: Span) => [offset(start), offset(last)]
        return {
          sections: markdown.sections.map(s => [s.title, moved(s.heading), moved(s.content)]),
          fences: markdown.fences.map(f => [f.text, f.line, moved(f.span)]),
          places: markdown.fences.map(f => Array.from(f.text, (_, at) => offset(f.toSource(at)))),
          comments: [...markdown.comments, ...markdown.unclosedComments].map(moved),
          codes: codesOf(markdown).map(code => [code.text, moved(code.span)]),
          blank: markdown.sections.map(section => markdown.isBlank(section.content)),
        }
      }
      expect(shown(readMarkdown(other), at => at)).toEqual(shown(readMarkdown(text), move))
    }),
    { numRuns: 1500 },
  )
})

test('any text at all is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      const markdown = readMarkdown(text)
      expect(markdown.body.end).toBe(text.length)
      expect(codesOf(markdown)).toBeInstanceOf(Array)
    }),
    { numRuns: 2000 },
  )
})
