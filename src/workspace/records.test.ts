import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { readRecords, record } from './records.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const type = 'urn:waybill:record:resume'
const at = (minute: number) => `2026-06-01T12:0${minute}:00Z`
const place = () => join(folder.root, '.waybill/records')

test('what is recorded is read again, in the order of its times', () => {
  record(folder.root, { type, at: at(2), by: 'ann' })
  record(folder.root, { type, at: at(1), by: 'bob' })
  record(folder.root, { type: 'urn:waybill:record:accept', at: at(0), by: 'eve' })
  record(folder.root, { type, at: '2026-06-01T12:01:00.5Z', by: 'dan' })
  expect(readRecords(folder.root, type).records.map(({ by }) => by)).toEqual(['bob', 'dan', 'ann'])
  expect(readRecords(folder.root).records).toHaveLength(4)
})

test('the same record twice is one file, which only its owner reads', () => {
  const name = record(folder.root, { type, at: at(0), by: 'ann' })
  expect(record(folder.root, { type, at: at(0), by: 'ann' })).toBe(name)
  expect(readdirSync(place())).toEqual([`${name}.json`])
  expect(statSync(join(place(), `${name}.json`)).mode & 0o777).toBe(0o600)
})

test('a record that was changed afterwards does not count, and is named', () => {
  const name = record(folder.root, { type, at: at(0), by: 'ann' })
  writeFileSync(join(place(), `${name}.json`), JSON.stringify({ type, at: at(0), by: 'eve' }))
  expect(readRecords(folder.root)).toEqual({ records: [], broken: [`${name}.json`] })
})

test('a repository without records has none', () => {
  expect(readRecords(folder.root)).toEqual({ records: [], broken: [] })
})

test('a link in place of the folder is refused: it could lead anywhere', () => {
  const elsewhere = openTestFolder()
  symlinkSync(elsewhere.root, join(folder.root, '.waybill'))
  expect(() => record(folder.root, { type, at: at(0), by: 'ann' })).toThrow(
    expect.objectContaining({ code: 'exists' }),
  )
  expect(readdirSync(elsewhere.root)).toEqual([])
  elsewhere.remove()
})
