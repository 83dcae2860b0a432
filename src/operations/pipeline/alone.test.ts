import { expect, test } from 'vitest'
import { standsAlone } from './alone.ts'

const isAlone = (text: string) => standsAlone(Buffer.from(text), false)

test('a sign of comments in a text is none, and beside a document it begins one', async () => {
  expect(await isAlone('text: |\n  # a heading\n  and more\n')).toBe(true)
  expect(await isAlone('text: "no # comment"\n')).toBe(true)
  expect(await isAlone('text: a # and a comment\n')).toBe(false)
})

test('where more signs stand than can be looked at, some are taken for comments without reading on and on', async () => {
  const text = `text: |\n${'  # a heading\n'.repeat(20_000)}`
  expect(await isAlone(text)).toBe(false)
})
