import { expect, test } from 'vitest'
import { check } from '../src/index.ts'

const MEBIBYTE = 1024 * 1024

test.each([undefined, null, 5, {}, new Uint8Array([123, 125])])(
  'what is no text is a wrong call: %o',
  async text => {
    await expect(check(text as string)).rejects.toMatchObject({
      code: 'usage',
      hint: 'decode bytes as UTF-8 first',
    })
  },
)

test.each([
  { what: 'letters', filling: 'x'.repeat(8 * MEBIBYTE) },
  { what: 'characters of three bytes', filling: '\u4e00'.repeat(3 * MEBIBYTE) },
])('a text larger than what is read from files is refused: $what', async ({ filling }) => {
  const { accepted, documents } = await check(`# Handed over\n\n${filling}`, {
    path: 'handoffs/2026-02-11T14-30-00Z-x.md',
  })
  expect(accepted).toBe(false)
  expect(documents.flatMap(d => d.diagnostics.map(({ code }) => code))).toEqual([
    'syntax/too-large',
  ])
})

test('a large text within the limit is read', async () => {
  const text = JSON.stringify({ schema_name: 'mission_envelope', note: 'x'.repeat(4 * MEBIBYTE) })
  const { documents } = await check(`\uFEFF${text}`, { path: 'a.json' })
  expect(documents[0]?.contract).toBe('mission-envelope')
  expect(documents[0]?.diagnostics.map(({ code }) => code)).not.toContain('syntax/too-large')
})
