import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadSecondScanner } from './second-scanner.ts'

const scanners = rules
  .filter(({ meta }) => meta.id !== '@secretlint/secretlint-rule-filter-comments')
  .map(rule => ({ id: rule.meta.id, rule }))

/** What the scanner itself says, with its rules created again for each text. */
async function asItself(content: string) {
  const { messages } = await lintSource({
    source: { filePath: 'handoff.json', content, ext: '.json', contentType: 'text' },
    options: { config: { rules: scanners }, noPhysicFilePath: true },
  })
  return messages.map(({ range: [start, end] }) => ({ start, end }))
}

async function asHere(text: string) {
  const scan = await loadSecondScanner()
  if (!scan) throw new Error('the second scanner is not installed')
  return (await scan(text)).map(({ span }) => span)
}

const WORDS = [
  `ghp_${'a1B2'.repeat(9)}`,
  `npm_${'a1B2'.repeat(9)}`,
  `xoxb-${'123456789012-'.repeat(2)}${'a1B2'.repeat(6)}`,
  `AWS_SECRET_ACCESS_KEY=${'wJalrXUt'.repeat(5)}`,
  `SG.${'a1B2c3D4e5F6g7H8i9J0k1'}.${'a1B2'.repeat(10)}abc`,
  `-----BEGIN RSA PRIVATE KEY-----\n${'a1B2'.repeat(30)}\n-----END RSA PRIVATE KEY-----`,
  'https://someone:tr0ub4dor@example.org/path',
  'postgres://someone:tr0ub4dor@db.example.org:5432/name',
]

test.each(WORDS.map(word => [word.slice(0, 12), word]))(
  '%s… is found where the scanner finds it',
  async (_, word) => {
    const text = `{"note": "${word}"}`
    expect(await asHere(text)).toEqual(await asItself(text))
  },
)

test.each(['/* secretlint-disable */', '// secretlint-disable-next-line\n'])(
  'a text does not silence the scanner by %s',
  async comment => {
    const [word = ''] = WORDS
    expect(await asHere(`${comment} ${word}`)).toHaveLength(1)
  },
)

test('most of these are credentials to the scanner', async () => {
  const found = await Promise.all(WORDS.map(async word => (await asHere(word)).length > 0))
  expect(found.filter(Boolean).length).toBeGreaterThan(4)
})

test('whatever stands in a text, the first look hides nothing', async () => {
  const piece = fc.oneof(
    fc.constantFrom(...WORDS, '\ufeff', '\n', ' ', '{"private_key_id": 1, "private_key": "'),
    fc.constantFrom(
      '// secretlint-disable\n',
      '/* secretlint-disable-line */',
      '# secretlint-enable\n',
    ),
    fc.string({ maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async pieces => {
      const text = pieces.join('')
      expect(await asHere(text)).toEqual(await asItself(text))
    }),
    { numRuns: 60 },
  )
})

test('texts that are read at the same time do not speak for one another', async () => {
  const texts = WORDS.flatMap(word => [word, 'nothing to see'])
  const alone = await Promise.all(texts.map(asItself))
  expect(await Promise.all(texts.map(asHere))).toEqual(alone)
})
