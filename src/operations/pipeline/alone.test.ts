import { expect, test } from 'vitest'
import { standsAlone } from './alone.ts'

const isAlone = (text: string, isMarkdown = false) => standsAlone(Buffer.from(text), isMarkdown)

test('a sign of comments within a text is none, and next to a document it begins one', async () => {
  expect(await isAlone('text: |\n  # a heading\n  and more\n')).toBe(true)
  expect(await isAlone('text: "no # comment"\n')).toBe(true)
  expect(await isAlone('text: a # and a comment\n')).toBe(false)
})

test('where more signs stand than can be looked at, some are taken for comments without reading on and on', async () => {
  const text = `text: |\n${'  # a heading\n'.repeat(20_000)}`
  expect(await isAlone(text)).toBe(false)
})

test('a long text is not read once for each of its signs', async () => {
  const text = `text: |\n${`  # a heading\n  ${'x'.repeat(4_800)}\n`.repeat(80)}`
  expect(await isAlone(text)).toBe(false)
})

test('a fence is as long as it is, however long that may be', async () => {
  const fence = '`'.repeat(100_000)
  const text = `${fence}\ntext: ${'x'.repeat(600_000)}\n${fence}\n`
  expect(await isAlone(text, true)).toBe(true)
  expect(await isAlone(`${text}prose`, true)).toBe(false)
})
