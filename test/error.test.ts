import { expect, test, vi } from 'vitest'
import { WaybillError } from '../src/error.ts'

class Particular extends WaybillError {}

test('a derived class tells its own errors alone', () => {
  expect(new WaybillError('usage', 'x')).not.toBeInstanceOf(Particular)
  expect(new Particular('usage', 'x')).toBeInstanceOf(Particular)
  expect(new Particular('usage', 'x')).toBeInstanceOf(WaybillError)
})

test('what another copy of the module throws is caught by this one, and what others throw is not', async () => {
  vi.resetModules()
  const other = await import('../src/error.ts')
  expect(other.WaybillError).not.toBe(WaybillError)
  expect(new other.WaybillError('usage', 'x')).toBeInstanceOf(WaybillError)
  expect(new other.WaybillError('usage', 'x')).not.toBeInstanceOf(Particular)
  for (const value of [new Error('x'), { code: 'usage' }, undefined, 'usage'])
    expect(value instanceof WaybillError).toBe(false)
})
