import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { readMarkdown } from './markdown.ts'

const SIZE = 50_000
const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length))
const grow = (line: (n: number) => string) => {
  let text = ''
  for (let n = 1; text.length < SIZE; n++) text += line(n)
  return text
}

/** Makes the parser look into the paragraph, whether the comment it sees is closed or not. */
const ENDINGS = ['', ' <!-- x', ' <!-- x --> `a`', '](a) `b`<!---->']

test.each([
  ['opening brackets', fill('[')],
  ['closing brackets', fill(']')],
  ['links that do not end', fill('[a](')],
  ['link addresses that do not end', fill('[a](<b')],
  ['link titles that do not end', fill('[a](b "')],
  ['links in links', '['.repeat(10_000) + '](a)'.repeat(10_000)],
  ['references', `${fill('[a][b] ')}\n\n[b]: c\n`],
  ['references that do not end', fill('[a][')],
  ['images that do not end', fill('![')],
  ['images in images', '!['.repeat(10_000) + '](a)'.repeat(7_500)],
  ['backtick runs of growing length', grow(n => `${'`'.repeat(n)} `)],
  ['backtick runs of falling length', grow(n => `${'`'.repeat(450 - (n % 450))} `)],
  ['single backticks', fill('`a')],
  ['unclosed comments on a line', fill('<!--')],
  ['unclosed comments in a paragraph', fill('a <!-- ')],
  ['unclosed comments on lines', fill('<!--\n')],
  ['an unclosed comment over many headings', `<!--\n${fill('# a\n\n')}`],
  ['comments in a paragraph', fill('a <!-- b --> ')],
  ['comments on lines', fill('<!-- a -->\n')],
  ['comments in an HTML block', `<div>\n${fill('<!-- a --> <b ')}`],
  ['quotes on one line', fill('> ')],
  ['quotes on many lines', fill(`${'> '.repeat(32)}a\n`)],
  ['quotes over lazy lines', `${'> '.repeat(32)}a\n${fill('a\n')}`],
  ['quotes over a lazy fence', `${'> '.repeat(32)}\`\`\`\n${fill('a\n')}`],
  ['quotes of falling depth', grow(n => `${'>'.repeat(33 - (n % 33))}a\n\n`)],
  ['lists on one line', fill('- ')],
  ['lists in lists', grow(n => `${'  '.repeat(n)}- a\n`)],
  ['lists in lists, again and again', grow(n => `${'  '.repeat(n % 15)}- a\n`)],
  ['lists over blank lines', `${'- '.repeat(15)}a\n${fill('\n')}`],
  ['list items', fill('- a\n')],
  ['quotes and lists', fill(`${'- > '.repeat(10)}a\n`)],
  ['emphasis', fill('*a **b _c ')],
  ['strong emphasis', fill('a**b')],
  ['link definitions', grow(n => `[${n}]: b\n`)],
  ['link definitions that do not end', fill('[a]: b "\n')],
  ['link labels over lines', fill('[a\n')],
  ['tags that do not end', fill('x <a ')],
  ['attributes that do not end', fill("x <a b='")],
  ['a tag of many attributes', `x <a ${fill('b ')}`],
  ['a tag of much space', `x <a${fill(' ')}<`],
  ['instructions that do not end', fill('x <? ')],
  ['character data that does not end', fill('x <![CDATA[')],
  ['declarations that do not end', fill('x <!A ')],
  ['instructions on lines that do not end', fill('<?\n\n')],
  ['autolinks that do not end', fill('<x@y.')],
  ['setext underlines', fill('a\n=\n')],
  ['a paragraph of many lines', fill('a\n')],
  ['fences', fill('```\n')],
  ['fences of growing length', grow(n => `${'~'.repeat(n + 2)}\n`)],
  ['an info string of escapes', `\`\`\`${fill('\\&')}`],
  ['a frontmatter that does not end', `---\n${fill('---    x\n')}`],
  ['tabs', fill('\ta\n')],
  ['carriage returns', fill('\r')],
])('50 KB of %s are read in time', async (_, text) => {
  for (const ending of ENDINGS) {
    const ms = await cpuTimeOf(() => {
      const markdown = readMarkdown(text + ending)
      markdown.codeSpans(markdown.body)
      for (const section of markdown.sections) markdown.isBlank(section.content)
    })
    expect(ms).toBeLessThan(2500)
  }
})
