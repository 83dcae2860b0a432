import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { CATALOGUE, STEPS } from '../../test/parcels.ts'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import type { Fields, UpgradeStep } from '../contract/index.ts'
import upgrade, { upgradeWith } from './upgrade.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const textOf = (path: string) => readFileSync(join(folder.root, path), 'utf8')

const run = (given: Partial<Parameters<typeof upgrade.run>[0]>, catalogue = CATALOGUE) =>
  upgradeWith(catalogue, { paths: ['a.json'], ...given }, folder.app())

const PARCEL = '{\n  "parcel_version": "1.0.0",\n  "weight": 2,\n  "colour": "red"\n}\n'

describe('a JSON document', () => {
  test('is taken through every step, and without --write stays as it is', async () => {
    folder.write('a.json', PARCEL)
    const output = await run({})
    expect(faultsOf('upgrade', output)).toEqual([])
    expect(output.documents).toMatchObject([
      { outcome: 'upgradable', from: '1.0', to: '2.0', steps: [{ to: '1.1' }, { to: '2.0' }] },
    ])
    expect(output.documents[0]?.steps[1]).toMatchObject({
      moved: [{ from: '/weight', to: '/grams' }],
      lost: [{ path: '/colour', why: 'parcels are no longer sorted by colour' }],
    })
    expect(textOf('a.json')).toBe(PARCEL)
  })

  test('is replaced with --write, laid out as it was', async () => {
    folder.write('a.json', PARCEL.replaceAll('  ', '\t').replaceAll('\n', '\r\n'))
    expect((await run({ write: true })).documents).toMatchObject([{ outcome: 'written' }])
    expect(textOf('a.json')).toBe(
      '{\r\n\t"parcel_version": "2.0.0",\r\n\t"note": "none",\r\n\t"grams": 908\r\n}\r\n',
    )
    expect((await run({ write: true })).documents).toMatchObject([{ outcome: 'current' }])
  })

  test('can stop at a version in between, and be written next to the old one', async () => {
    folder.write('a.json', PARCEL)
    const output = await run({ to: '1.1', output: 'b.json' })
    expect(output.documents).toMatchObject([{ outcome: 'written', to: '1.1', output: 'b.json' }])
    expect(JSON.parse(textOf('b.json'))).toMatchObject({ parcel_version: '1.1.0', weight: 2 })
    expect(textOf('a.json')).toBe(PARCEL)
    await expect(run({ output: 'b.json' })).rejects.toMatchObject({ code: 'exists' })
    await expect(run({ output: '../b.json' })).rejects.toMatchObject({ code: 'usage' })
  })

  test('is written next to the old one where the folder is named by a link that leads there', async () => {
    folder.write('real/a.json', PARCEL)
    symlinkSync('real', join(folder.root, 'link'))
    const root = join(folder.root, 'real')
    const given = { paths: ['a.json'], output: join(folder.root, 'link/b.json') }
    const output = await upgradeWith(CATALOGUE, given, folder.app({ root, cwd: root }))
    expect(output.documents).toMatchObject([{ outcome: 'written', output: 'b.json' }])
    expect(textOf('real/b.json')).toContain('"grams"')
  })

  test('keeps its byte order mark and its wrapper', async () => {
    folder.write('a.json', `\ufeff{"parcel": ${PARCEL.trim()}}`)
    await run({ write: true })
    expect(textOf('a.json')).toMatch(/^\ufeff\{/)
    expect(JSON.parse(textOf('a.json').slice(1))).toEqual({
      parcel: { parcel_version: '2.0.0', note: 'none', grams: 908 },
    })
  })
})

test('YAML keeps its comments and its order', async () => {
  folder.write(
    'a.yaml',
    '# a parcel\nparcel_version: 1.0.0 # old\nweight: 2\n# for the sorter\nto: Graz\n',
  )
  await run({ paths: ['a.yaml'], to: '1.1', write: true })
  expect(textOf('a.yaml')).toBe(
    '# a parcel\nparcel_version: 1.1.0 # old\nweight: 2\n# for the sorter\nto: Graz\nnote: none\n',
  )
})

test('of Markdown the frontmatter alone is touched', async () => {
  const body = '\n# Parcel\n\n* by hand   \n'
  folder.write('a.md', `---\nparcel_version: 1.0.0\nweight: 2 # pounds\n---\n${body}`)
  const steps: readonly UpgradeStep[] = [
    {
      contract: 'parcel',
      from: '1.0',
      to: '1.1',
      summary: 'x',
      upgrade: value => ({
        value: {
          ...value,
          frontmatter: { ...(value.frontmatter as Fields), parcel_version: '1.1.0' },
        },
      }),
    },
  ]
  await run({ paths: ['a.md'], write: true }, { ...CATALOGUE, steps })
  expect(textOf('a.md')).toBe(`---\nparcel_version: 1.1.0\nweight: 2 # pounds\n---\n${body}`)
})

describe('nothing is written', () => {
  const gap = [...STEPS, { ...STEPS[0], from: '2.1', to: '3.0' } as UpgradeStep]
  const broken = STEPS.map(step =>
    step.to === '2.0'
      ? {
          ...step,
          upgrade: ({ weight: _, ...v }: Fields) => ({ value: { ...v, parcel_version: '2.0.0' } }),
        }
      : step,
  )

  test.each<[string, string, string | undefined, readonly UpgradeStep[], RegExp]>([
    ['over a gap', PARCEL, '3.0', gap, /no migration from version 1\.0 to 3\.0/],
    ['backwards', PARCEL.replace('1.0.0', '1.1.0'), '1.0', STEPS, /from version 1\.1 to 1\.0/],
    ['where there are no migrations', PARCEL, '2.0', [], /parcel has none/],
    [
      'of a document without a version',
      '{"parcel": {"weight": 2}}',
      undefined,
      STEPS,
      /states no version/,
    ],
    [
      'of a faulty document',
      PARCEL.replace('2,', '"2",'),
      undefined,
      STEPS,
      /not a valid document of version 1\.0/,
    ],
    ['of a torn document', '{"parcel_version": ', undefined, STEPS, /cannot parse it/],
    ['by a step that drops something', PARCEL, undefined, broken, /drops .*without declaring it/],
    [
      'for a version that no contract here knows',
      PARCEL,
      '3.0',
      [
        ...STEPS,
        { ...STEPS[0], from: '2.0', to: '3.0', upgrade: v => ({ value: v }) } as UpgradeStep,
      ],
      /gives a document that states another version/,
    ],
  ])('%s', async (_, text, to, steps, reason) => {
    folder.write('a.json', text)
    const output = await run(
      { write: true, ...(to !== undefined && { to }) },
      { ...CATALOGUE, steps },
    )
    expect(faultsOf('upgrade', output)).toEqual([])
    expect(output.documents).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(reason) },
    ])
    expect(upgrade.failed?.(output)).toBe(true)
    expect(textOf('a.json')).toBe(text)
  })

  test('where one of several documents is refused', async () => {
    folder.write('a.json', PARCEL)
    folder.write('b.json', '{"parcel": {}}')
    const output = await run({ paths: ['a.json', 'b.json'], write: true })
    expect(output.documents.map(d => d.outcome)).toEqual(['upgradable', 'refused'])
    expect(textOf('a.json')).toBe(PARCEL)
  })

  test('of a file that was changed since it was read, and those written before it are named', async () => {
    for (const name of ['a.json', 'b.json']) folder.write(name, PARCEL)
    let seen = 0
    const meddling = STEPS.map(step => ({
      ...step,
      upgrade: (value: Fields) => {
        if (++seen === 3) folder.write('b.json', 'by hand')
        return step.upgrade(value)
      },
    }))
    const given = { paths: ['a.json', 'b.json'], write: true }
    await expect(run(given, { ...CATALOGUE, steps: meddling })).rejects.toMatchObject({
      code: 'conflict',
      message: 'b.json was changed by another process in the meantime',
      hint: 'a.json was upgraded already; run the command again for the rest',
    })
    expect(textOf('a.json')).toContain('2.0.0')
    expect(textOf('b.json')).toBe('by hand')
  })

  test('over a digest that the caller did not expect', async () => {
    folder.write('a.json', PARCEL)
    const expected = run({ write: true, expect: '0'.repeat(64) })
    await expect(expected).rejects.toMatchObject({ code: 'conflict' })
    expect(textOf('a.json')).toBe(PARCEL)
  })
})

test.each<[string, Partial<Parameters<typeof upgrade.run>[0]>]>([
  ['a version that is none', { to: 'newest' }],
  ['standard input', { paths: ['-'] }],
  ['a new file and the old one', { write: true, output: 'b.json' }],
  ['one new file for two', { paths: ['a.json', 'b.json'], output: 'c.json' }],
])('%s is an error of the call', async (_, given) => {
  folder.write('a.json', PARCEL)
  await expect(run(given)).rejects.toMatchObject({ code: 'usage' })
})

test('of the contracts that there are, every document has the newest version', async () => {
  folder.write('a.json', SOUND)
  const output = await upgrade.run({ paths: ['a.json'] }, folder.app())
  expect(output.documents).toMatchObject([{ outcome: 'current', from: '1.0', to: '1.0' }])
  expect(upgrade.failed?.(output)).toBe(false)
  const refused = await upgrade.run({ paths: ['a.json'], to: '2.0' }, folder.app())
  expect(refused.documents).toMatchObject([
    { reason: 'no migration from version 1.0 to 2.0: session-context has none' },
  ])
})
