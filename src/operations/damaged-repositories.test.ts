import { mkdirSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { findRoot } from '../workspace/index.ts'
import accept from './accept.ts'
import check from './check.ts'
import doctor from './doctor.ts'
import init from './init.ts'
import keyList from './key-list.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'
import missionWatch from './mission-watch.ts'
import trace from './trace.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
})
afterEach(() => box.remove())

const place = (path: string) => join(box.root, path)
const faults = async () =>
  (await doctor.run({}, box.app())).items.filter(({ status }) => status === 'error')

describe('a file where the folder of local state belongs', () => {
  beforeEach(() => box.write('.waybill', ''))

  test.each([
    ['key list', () => keyList.run({}, box.app())],
    ['log verify', () => logVerify.run({}, box.app())],
    ['log show', () => logShow.run({}, box.app())],
    ['trace', () => trace.run({ id: 'x' }, box.app())],
  ])('is refused by %s with a remedy', async (_, run) => {
    await expect(run()).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringContaining('.waybill exists but is not a folder'),
      hint: expect.stringContaining('move it away'),
    })
  })

  test('is one error of the doctor, who looks at the rest', async () => {
    expect(await faults()).toMatchObject([
      { name: 'local state', message: '.waybill is not a folder' },
    ])
  })
})

describe('after init', () => {
  beforeEach(() => init.run({}, box.app()))

  test('a private key that is none is an error, also in the list of keys', async () => {
    const names = readdirSync(place('.waybill/keys')).filter(name => name.endsWith('.pem'))
    for (const name of names) writeFileSync(place(`.waybill/keys/${name}`), 'garbage')
    expect(names).toHaveLength(2)
    expect(await faults()).toHaveLength(2)
    const { keys } = await keyList.run({}, box.app())
    expect(keys.map(({ fault }) => fault)).toEqual(
      Array(2).fill(expect.stringContaining('does not hold a valid private key')),
    )
  })

  test('an origin without a listed key is an error', async () => {
    writeFileSync(place('.waybill/keys/origin'), 'garbage\n')
    expect(await faults()).toMatchObject([
      {
        name: 'keys',
        message: expect.stringContaining('names a log without a key in waybill.yaml: garbage'),
      },
    ])
  })

  test('policies and witnesses that are not where waybill.yaml says are errors', async () => {
    writeFileSync(place('waybill.yaml'), 'policies: nowhere\nwitnesses: nowhere\n', { flag: 'a' })
    expect((await faults()).map(({ name }) => name)).toEqual(['own policies', 'witnesses'])
  })

  test('a policy at fault is an error, and policies and witnesses that are sound are not', async () => {
    box.write('policies/a.cedar', 'forbid (')
    box.write('witnesses.txt', 'quorum none\n')
    writeFileSync(place('waybill.yaml'), 'policies: policies\nwitnesses: witnesses.txt\n', {
      flag: 'a',
    })
    expect(await faults()).toMatchObject([
      { name: 'own policies', remedy: 'run waybill policy check' },
    ])
    box.write('policies/a.cedar', '')
    expect(await faults()).toEqual([])
  })

  test('a ledger that is a link to nothing is an error', async () => {
    symlinkSync('/nowhere/at/all', place('.waybill/ledger'))
    expect(await faults()).toMatchObject([
      { name: 'log', message: expect.stringContaining('cannot be read (ENOENT)') },
    ])
  })

  test('a folder named .gitignore is one error, not the end of the report', async () => {
    rmSync(place('.gitignore'))
    mkdirSync(place('.gitignore'))
    expect(await faults()).toMatchObject([
      { name: 'documents', message: expect.stringContaining('.gitignore cannot be read') },
    ])
  })

  test('a waybill.yaml that leads nowhere is at fault everywhere, and marks the root', async () => {
    box.write('below/a.json', SOUND)
    unlinkSync(place('waybill.yaml'))
    symlinkSync('gone.yaml', place('waybill.yaml'))
    const fault = {
      code: 'configuration',
      message: 'waybill.yaml is a broken symbolic link',
      hint: expect.stringContaining('remove the link'),
    }
    expect(findRoot(place('below'))).toBe(box.root)
    await expect(check.run({}, box.app())).rejects.toMatchObject(fault)
    await expect(init.run({}, box.app())).rejects.toMatchObject(fault)
    expect(await faults()).toMatchObject([{ name: 'configuration', message: fault.message }])
  })
})

test('a severity in the notation of linters is refused with the notation to use here', async () => {
  box.write('waybill.yaml', 'rules: {session-context/agent-id-names-family: off}\n')
  await expect(check.run({}, box.app())).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('(write {severity: off, reason: <why it is off here>})'),
  })
})

test.each([{ paths: [''] }, { paths: ['a.json', ''] }, { previous: '' }])(
  'an empty path is refused, and not the whole folder: %o',
  async input => {
    box.write('a.json', SOUND)
    await expect(check.run(input, box.app())).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('has an empty path'),
    })
  },
)

test('an empty file name is refused with a hint that a file is meant', async () => {
  for (const given of [{ stdinPath: '' }, { previous: '' }])
    await expect(check.run(given, box.app())).rejects.toMatchObject({ hint: 'name a file' })
})

test('a name that is empty is refused: the variable that was meant is not set', async () => {
  box.write('a.json', SOUND)
  const refused = {
    code: 'usage',
    hint: 'pass a value, or omit it where it is not needed',
  }
  for (const given of [{ session: '' }, { changed: '' }, { contract: '' }])
    await expect(check.run(given, box.app())).rejects.toMatchObject({
      ...refused,
      message: `${Object.keys(given)} is empty`,
    })
  const accepted = accept.run({ path: 'a.json', session: '' }, box.app())
  await expect(accepted).rejects.toMatchObject({ ...refused, message: 'session is empty' })
  const parts = () => missionWatch.parts?.({ mission: '' }, box.app(), 'text')
  expect(parts).toThrow(expect.objectContaining({ code: 'usage', hint: 'pass a value' }))
})
