import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import { waybill as run } from '../../../test/waybill.ts'
import { catalogue } from '../../cli/catalogue.generated.ts'
import type { Operation } from '../operation.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  mkdirSync(join(folder.root, '.git/hooks'), { recursive: true })
  mkdirSync(join(folder.root, '.waybill'))
  mkdirSync(join(folder.root, '.github'))
  symlinkSync('.git/hooks', join(folder.root, 'away'))
  folder.write('in.json', SOUND)
})
afterEach(() => folder.remove())

const waybill = (...args: string[]) => run([...args, '--root', folder.root], { cwd: folder.root })

test.each([
  ['.git/hooks/pre-commit', 'Git'],
  ['.GIT/x.json', 'Git'],
  ['.waybill/keys/x.json', 'Waybill'],
  ['sub/../.waybill/x.json', 'Waybill'],
  ['away/x.json', 'Git'],
])('nothing is written to %s', async (path, owner) => {
  const { status, stderr } = await waybill(
    'accept',
    'in.json',
    '--session',
    's-1',
    '--output',
    path,
  )
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`output '${path}' is in the folder of ${owner}\n`),
  ])
  expect(existsSync(join(folder.root, path))).toBe(false)
  // What is refused was not recorded either.
  expect(existsSync(join(folder.root, '.waybill/records'))).toBe(false)
})

test('however many folders a place is said to have, the answer is one of words', async () => {
  const { status, stderr } = await waybill(
    'accept',
    'in.json',
    '--session',
    's-1',
    '--output',
    `${'a/'.repeat(30_000)}x.json`,
  )
  expect([status, stderr]).toEqual([2, expect.not.stringContaining('internal error')])
})

test('a name that only resembles theirs is an own one', async () => {
  const { status } = await waybill(
    'accept',
    'in.json',
    '--session',
    's-1',
    '--output',
    '.github/x.json',
  )
  expect(status).toBe(0)
  expect(existsSync(join(folder.root, '.github/x.json'))).toBe(true)
})

test.each(
  catalogue.flatMap(entry =>
    Object.entries(entry.operation.input.properties)
      .filter(([, { makes }]) => makes)
      .map(([input]) => [entry.operation.name, input, entry] as const),
  ),
)('waybill %s takes no such place for %s', async (_, input, entry) => {
  const operation = (await entry.load()).default as Operation<object, unknown>
  const { required = [], properties } = entry.operation.input
  const given = Object.fromEntries(
    required.map(key => [key, properties[key]?.type === 'array' ? ['in.json'] : 'in.json']),
  )
  const call = operation.run({ ...given, [input]: '.git/hooks/x' }, folder.app())
  await expect(call).rejects.toMatchObject({
    code: 'usage',
    message: `${input} '.git/hooks/x' is in the folder of Git`,
  })
})

test('every input that says where an output goes is one of them', () => {
  const named = catalogue.flatMap(({ operation: { name, input } }) =>
    Object.entries(input.properties).flatMap(([key, { path, makes }]) =>
      /^out(?:put)?$/.test(key) && path && !makes ? [`${name} --${key}`] : [],
    ),
  )
  expect(named).toEqual([])
  expect(catalogue.filter(({ operation }) => operation.input.properties.out?.makes)).not.toEqual([])
})
