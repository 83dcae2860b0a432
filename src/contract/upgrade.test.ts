import { describe, expect, test } from 'vitest'
import type { Fields } from './contract.ts'
import {
  findUpgrade,
  newestUpgrade,
  runUpgrade,
  type UpgradeChecks,
  type UpgradeStep,
} from './upgrade.ts'
import { isNewer, minorVersion } from './version.ts'

const step = (
  from: string,
  to: string,
  upgrade: UpgradeStep['upgrade'] = value => ({ value: { ...value, version: to } }),
  contract = 'parcel',
): UpgradeStep => ({ contract, from, to, summary: `${from} to ${to}`, upgrade })

/** 1.0 has `weight` in pounds; 1.1 may have `note`; 2.0 has `grams`, and no `colour`. */
const CHAIN: readonly UpgradeStep[] = [
  step('1.0', '1.1', value => ({ value: { ...value, version: '1.1', note: '' } })),
  step('1.1', '2.0', ({ weight, colour: _, ...value }) => ({
    value: { ...value, version: '2.0', grams: Number(weight) * 454 },
    moved: [{ from: '/weight', to: '/grams' }],
    lost: [{ path: '/colour', why: 'no parcel is sorted by colour any more' }],
  })),
]

const checks: UpgradeChecks<string> = {
  states: (version, value) => minorVersion(String(value.version)) === version,
  check: async (version, value) => {
    const key = version === '2.0' ? 'grams' : 'weight'
    const accepted = typeof value[key] === 'number' && !Number.isNaN(value[key])
    return { accepted, diagnostics: accepted ? [] : [`${key} is missing`] }
  },
}

const run = (value: Fields, steps: readonly UpgradeStep[]) =>
  runUpgrade(value, String(value.version), steps, checks)

test.each([
  ['1.0.0', '1.0'],
  ['1.12.3', '1.12'],
  ['v1', '1.0'],
  ['2', '2.0'],
  ['01.02.3', '1.2'],
  ['1.x', undefined],
  ['', undefined],
  ['1.0.0\n', undefined],
])('the version %j counts as %j', (text, version) => {
  expect(minorVersion(text)).toBe(version)
})

test.each([
  ['1.10', '1.9', true],
  ['2.0', '1.99', true],
  ['1.0', '1.0', false],
  ['1.0', '1.1', false],
])('that %s is newer than %s is %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer)
})

describe('the way from one version to another', () => {
  const froms = (steps: readonly UpgradeStep[] | undefined) => steps?.map(s => `${s.from}→${s.to}`)

  test('is every step in between', () => {
    expect(froms(findUpgrade(CHAIN, 'parcel', '1.0', '2.0'))).toEqual(['1.0→1.1', '1.1→2.0'])
  })

  test('is no step where the version is there already', () => {
    expect(findUpgrade(CHAIN, 'parcel', '1.1', '1.1')).toEqual([])
  })

  test('takes the shorter branch', () => {
    const steps = [...CHAIN, step('1.0', '2.0')]
    expect(froms(findUpgrade(steps, 'parcel', '1.0', '2.0'))).toEqual(['1.0→2.0'])
  })

  test('takes of two equally short branches the one listed first', () => {
    const steps = [step('1.0', '1.2'), ...CHAIN, step('1.2', '2.0')]
    expect(froms(findUpgrade(steps, 'parcel', '1.0', '2.0'))).toEqual(['1.0→1.2', '1.2→2.0'])
  })

  test.each([
    ['over a gap', '1.0', '3.0'],
    ['backwards', '2.0', '1.0'],
    ['from a version that nothing leads on from', '0.9', '1.1'],
  ])('is not found %s', (_, from, to) => {
    const steps = [...CHAIN, step('2.1', '3.0')]
    expect(findUpgrade(steps, 'parcel', from, to)).toBeUndefined()
  })

  test('does not lead through another contract', () => {
    const steps = [step('1.0', '2.0', undefined, 'letter')]
    expect(findUpgrade(steps, 'parcel', '1.0', '2.0')).toBeUndefined()
  })

  test('ends though steps go round in a circle', () => {
    const steps = [step('1.0', '1.1'), step('1.1', '1.0')]
    expect(findUpgrade(steps, 'parcel', '1.0', '2.0')).toBeUndefined()
    expect(newestUpgrade(steps, 'parcel', '1.0')).toBe('1.1')
  })

  test('leads to the newest version that can be reached', () => {
    expect(newestUpgrade([...CHAIN, step('2.1', '3.0')], 'parcel', '1.0')).toBe('2.0')
    expect(newestUpgrade([], 'parcel', '1.0')).toBe('1.0')
  })
})

describe('a document that is taken through steps', () => {
  const parcel = { version: '1.0', weight: 2, colour: 'red', to: { city: 'Graz' } }

  test('comes out as the last version, with what each step did', async () => {
    const outcome = await run(parcel, CHAIN)
    expect(outcome).toEqual({
      upgraded: true,
      value: { version: '2.0', grams: 908, note: '', to: { city: 'Graz' } },
      steps: [
        {
          from: '1.0',
          to: '1.1',
          summary: '1.0 to 1.1',
          added: ['/note'],
          changed: ['/version'],
          moved: [],
          lost: [],
        },
        {
          from: '1.1',
          to: '2.0',
          summary: '1.1 to 2.0',
          added: [],
          changed: ['/version'],
          moved: [{ from: '/weight', to: '/grams' }],
          lost: [{ path: '/colour', why: 'no parcel is sorted by colour any more' }],
        },
      ],
    })
    expect(parcel).toEqual({ version: '1.0', weight: 2, colour: 'red', to: { city: 'Graz' } })
  })

  test('is left alone by no steps', async () => {
    expect(await run(parcel, [])).toEqual({ upgraded: true, value: parcel, steps: [] })
  })

  test('is refused when it is faulty to begin with', async () => {
    const outcome = await run({ version: '1.0' }, CHAIN)
    expect(outcome).toMatchObject({
      upgraded: false,
      at: '1.0',
      diagnostics: ['weight is missing'],
    })
  })

  test('is refused when a step gives no sound document, and says how far it came', async () => {
    const broken = step('1.1', '2.0', ({ weight: _, ...value }) => ({
      value: { ...value, version: '2.0' },
      lost: [{ path: '/weight', why: 'forgotten' }],
    }))
    const outcome = await run(parcel, [CHAIN[0] ?? broken, broken])
    expect(outcome).toMatchObject({
      upgraded: false,
      at: '1.1',
      diagnostics: ['grams is missing'],
      steps: [{ to: '1.1' }],
    })
  })

  test.each<[string, UpgradeStep['upgrade'], RegExp]>([
    [
      'drops a part and does not say so',
      ({ to: _, ...value }) => ({ value: { ...value, version: '1.1' } }),
      /drops \/to\/city without declaring it/,
    ],
    [
      'does not raise the version',
      value => ({ value }),
      /gives a document that states another version/,
    ],
    [
      'takes the version away',
      ({ version: _, ...value }) => ({ value, lost: [{ path: '/version', why: 'x' }] }),
      /states another version/,
    ],
    [
      'throws',
      () => {
        throw new Error('no idea')
      },
      /failed: no idea/,
    ],
  ])('is refused when a step %s', async (_, upgrade, reason) => {
    const outcome = await run(parcel, [step('1.0', '1.1', upgrade)])
    expect(outcome).toMatchObject({ upgraded: false, reason: expect.stringMatching(reason) })
  })

  test('is not changed by a step that writes into what it was given', async () => {
    const careless = step('1.0', '1.1', value => {
      Object.assign(value, { version: '1.1', weight: 3 })
      return { value }
    })
    await run(parcel, [careless])
    expect(parcel.weight).toBe(2)
  })
})
