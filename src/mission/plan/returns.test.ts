import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../../test/mission-payloads.ts'
import type { Payload, Task } from '../runner.ts'
import { RETURNED, sortOf } from './artifacts.ts'
import { returnsOf } from './returns.ts'

const validate = (role: Task['role_type'], value: unknown) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  return ajv.validate({ ...returnsOf(role).schema }, value)
}
const without = (payload: Payload, ...keys: string[]): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => !keys.includes(key)))
const artifactsOf = (role: Task['role_type']) =>
  RETURNED[role].map(name => ({ name, example: exampleOf(`${sortOf(name)?.contract}.v1`) }))

describe.each(Object.keys(RETURNED) as Task['role_type'][])('what a %s returns', role => {
  test.each(artifactsOf(role))('may be a $name without what is filled in', ({ name, example }) => {
    const sort = sortOf(name)
    const keys = ['schema_version', 'mission_id', 'created_at', 'producer', sort?.idKey ?? '']
    if (RETURNED[role].length === 1) keys.push('schema_name')
    if (sort?.task === 'own') keys.push('task_id')
    expect(validate(role, { artifacts: [example] })).toBe(true)
    expect(validate(role, { artifacts: [without(example, ...keys)] })).toBe(true)
    const content = Object.keys(example).filter(
      key => !keys.includes(key) && key !== 'approved_output',
    )
    const missed = content.filter(key => validate(role, { artifacts: [without(example, key)] }))
    expect(missed).toEqual([])
  })

  test('is a list of one to 64, and nothing else', () => {
    const [first] = artifactsOf(role)
    expect(validate(role, { artifacts: [] })).toBe(false)
    expect(validate(role, { artifacts: Array(65).fill(first?.example) })).toBe(false)
    expect(validate(role, { artifacts: [first?.example], note: 1 })).toBe(false)
    expect(validate(role, { artifacts: [exampleOf('policy-decision.v1')] })).toBe(false)
  })

  test('is plain JSON that agents can be sent', () => {
    const { artifacts, schema } = returnsOf(role)
    expect(artifacts).toEqual(RETURNED[role])
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    expect(JSON.stringify(schema)).not.toContain('"$id"')
  })
})
