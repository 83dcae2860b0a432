import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import {
  formatDuration,
  formatInstant,
  LOOSE_TIMESTAMP_PATTERN,
  parseInstant,
  standardTimestamp,
  TIMESTAMP_PATTERN,
} from './instant.ts'

const GOOD: readonly (readonly [text: string, utc: string])[] = [
  ['2026-02-11T14:30:00Z', '2026-02-11T14:30:00.000Z'],
  ['2026-02-11T14:30:00.5Z', '2026-02-11T14:30:00.500Z'],
  ['2026-02-11T14:30:00.1239999Z', '2026-02-11T14:30:00.123Z'],
  ['2026-02-11T14:30:00.000000000000000000001+00:00', '2026-02-11T14:30:00.000Z'],
  ['2026-02-11T14:30:00+05:30', '2026-02-11T09:00:00.000Z'],
  ['2026-02-11T14:30:00.25-08:00', '2026-02-11T22:30:00.250Z'],
  ['2026-02-11T00:00:00+23:59', '2026-02-10T00:01:00.000Z'],
  ['2026-02-11T14:30:00-00:00', '2026-02-11T14:30:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000Z'],
  ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
]

/** Forms that people and tools write, each with its standard form. */
const LOOSE = [
  ['20260211T143000Z', '2026-02-11T14:30:00Z'],
  ['20240229T143000.25+0530', '2024-02-29T14:30:00.25+05:30'],
  ['20260211T1430-08:00', '2026-02-11T14:30:00-08:00'],
  ['2026-02-11T14:30Z', '2026-02-11T14:30:00Z'],
  ['2026-02-11 14:30:00Z', '2026-02-11T14:30:00Z'],
  ['2026-02-11 14:30+05:30', '2026-02-11T14:30:00+05:30'],
  ['2026-02-11T14:30:00+0530', '2026-02-11T14:30:00+05:30'],
] as const

const BAD = [
  '20260211T143000',
  '2026-02-11 14:30:00',
  '2026-02-11  14:30:00Z',
  '20260229T143000Z',
  '202602-11T14:30:00Z',
  '20260211T14300Z',
  '2026-02-11T14:30.5Z',
  '',
  ' ',
  'Z',
  'now',
  'null',
  '0',
  '1770820200',
  '2026',
  '2026-02',
  '2026-02-11',
  '14:30:00Z',
  '2026-02-11T14:30:00',
  '2026-02-11t14:30:00Z',
  '2026-02-11T14:30:00z',
  '2026-02-11X14:30:00Z',
  '2026-02-11T14Z',
  '2026-02-11T143000Z',
  '20260211T14:30:00Z',
  '2026-W07-3T14:30:00Z',
  '2026-042T14:30:00Z',
  '2026-2-11T14:30:00Z',
  '2026-02-1T14:30:00Z',
  '26-02-11T14:30:00Z',
  '+2026-02-11T14:30:00Z',
  '-0001-02-11T14:30:00Z',
  '12026-02-11T14:30:00Z',
  '0000-01-01T00:00:00Z',
  '0000-02-29T00:00:00Z',
  '2026-00-11T14:30:00Z',
  '2026-13-11T14:30:00Z',
  '2026-02-00T14:30:00Z',
  '2026-02-29T14:30:00Z',
  '2026-02-30T14:30:00Z',
  '2026-04-31T14:30:00Z',
  '2026-01-32T14:30:00Z',
  '1900-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2026-02-11T24:00:00Z',
  '2026-02-11T25:00:00Z',
  '2026-02-11T14:60:00Z',
  '2026-02-11T14:30:60Z',
  '2016-12-31T23:59:60Z',
  '2026-02-11T14:30:61Z',
  '2026-02-11T14:30:00.Z',
  '2026-02-11T14:30:00,5Z',
  '2026-02-11T14:30:00.5',
  '2026-02-11T14:30:00+5',
  '2026-02-11T14:30:00+05',
  '2026-02-11T14:30:00+05:60',
  '2026-02-11T14:30:00+24:00',
  '2026-02-11T14:30:00+05:30:15',
  '2026-02-11T14:30:00 Z',
  '2026-02-11T14:30:00ZZ',
  '2026-02-11T14:30:00Z\n',
  '\n2026-02-11T14:30:00Z',
  ' 2026-02-11T14:30:00Z',
  '2026-02-11T14:30:00Z ',
  '2026-02-11T14:30:00Z[UTC]',
  '2026-02-11T14:30:00\u221205:30',
  '٢٠٢٦-02-11T14:30:00Z',
  '2026-02-11T14:30:0٠Z',
  '２０２６-02-11T14:30:00Z',
  '2026-02-11T14:30:00Z\0',
  'Wed, 11 Feb 2026 14:30:00 GMT',
  'February 11, 2026',
  '2026/02/11T14:30:00Z',
]

const pad = (value: number, width: number) => String(value).padStart(width, '0')

/** What Date makes of the fields, unless it had to correct them. */
function startOfDay(year: number, month: number, date: number): number | undefined {
  const day = new Date(0)
  day.setUTCFullYear(year, month - 1, date)
  return year > 0 && date > 0 && day.getUTCMonth() === month - 1 ? day.getTime() : undefined
}

describe('reading', () => {
  test.each(GOOD)('%j is %s', (text, utc) => {
    expect(parseInstant(text)).toBe(new Date(utc).getTime())
  })

  test.each(LOOSE)('the loose form %s is the time %s', (text, standard) => {
    expect(standardTimestamp(text)).toBe(standard)
    expect(parseInstant(text)).toBe(new Date(standard).getTime())
    expect(new RegExp(TIMESTAMP_PATTERN).test(text)).toBe(false)
  })

  test.each(BAD)('%j is no timestamp', text => {
    expect(parseInstant(text)).toBeUndefined()
  })

  test('compares instants of different offsets', () => {
    expect(parseInstant('2026-02-11T23:00:00-02:00')).toBe(
      parseInstant('2026-02-12T06:30:00+05:30'),
    )
  })

  test('takes exactly the days that exist, in every year from 0001 to 9999', () => {
    const wrong = []
    for (let year = 0; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        for (const date of [0, 1, 28, 29, 30, 31, 32]) {
          const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}T00:00:00Z`
          if (parseInstant(text) !== startOfDay(year, month, date)) wrong.push(text)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('reads every whole second that Date writes', () => {
    const first = Date.UTC(100, 0, 1)
    fc.assert(
      fc.property(fc.integer({ min: first, max: Date.UTC(9999, 11, 31) }), ms => {
        expect(parseInstant(new Date(ms).toISOString())).toBe(ms)
      }),
    )
  })
})

const PYTHON = spawnSync('python3', ['--version']).status === 0

describe.each([TIMESTAMP_PATTERN, LOOSE_TIMESTAMP_PATTERN])('a pattern', pattern => {
  test('is portable: no class or anchor that languages read differently', () => {
    expect(pattern).not.toMatch(/\\[dwbpDWBP]|\$/)
    expect(() => new RegExp(pattern, 'u')).not.toThrow()
    expect(pattern.endsWith('(?![\\s\\S])')).toBe(true)
  })

  test.skipIf(!PYTHON)(
    'gives the same answers in Python (skipped where there is no python3)',
    () => {
      const leaps = [4, 100, 400, 1900, 1996, 2000, 2023, 2024, 2100, 2400, 9996, 9999]
      const samples = [
        ...GOOD.map(([text]) => text),
        ...LOOSE.map(([text]) => text),
        ...BAD,
        ...leaps.map(year => `${String(year).padStart(4, '0')}-02-29T00:00:00Z`),
      ]
      const program =
        'import json,re,sys; p,t=json.load(sys.stdin); print(json.dumps([bool(re.search(p,x)) for x in t]))'
      const input = JSON.stringify([pattern, samples])
      const { stdout } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
      const ours = samples.map(text => new RegExp(pattern).test(text))
      expect(JSON.parse(stdout)).toEqual(ours)
    },
  )

  test('takes no time on a long fraction', async () => {
    const ms = await cpuTimeOf(() => parseInstant(`2026-02-11T14:30:00.${'0'.repeat(1_000_000)}`))
    expect(ms).toBeLessThan(200)
  })
})

describe('writing', () => {
  test.each([
    [0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [1_770_820_200_000, '2026-02-11T14:30:00Z'],
    [1_770_820_200_040, '2026-02-11T14:30:00.040Z'],
    [1_770_820_200_040.9, '2026-02-11T14:30:00.040Z'],
  ])('%d is %s', (ms, text) => {
    expect(formatInstant(ms)).toBe(text)
  })

  test('says what Date says, and is read back as written', () => {
    const min = new Date('0001-01-01T00:00:00Z').getTime()
    const max = new Date('9999-12-31T23:59:59.999Z').getTime()
    fc.assert(
      fc.property(fc.integer({ min, max }), ms => {
        expect(formatInstant(ms)).toBe(new Date(ms).toISOString().replace('.000Z', 'Z'))
        expect(parseInstant(formatInstant(ms))).toBe(ms)
      }),
      { numRuns: 2000 },
    )
  })
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test.each([
  [0, '0 seconds'],
  [999, '0 seconds'],
  [1000, '1 second'],
  [1999, '1 second'],
  [30_000, '30 seconds'],
  [MINUTE, '1 minute'],
  [90_000, '90 seconds'],
  [12 * MINUTE + 59_999, '12 minutes'],
  [HOUR, '1 hour'],
  [119 * MINUTE, '119 minutes'],
  [2 * HOUR, '2 hours'],
  [24 * HOUR, '1 day'],
  [26 * HOUR, '26 hours'],
  [72 * HOUR, '3 days'],
  [-72 * HOUR, '3 days'],
])('%d ms are %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words)
})
