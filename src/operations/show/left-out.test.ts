import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fixturesOf } from '../../../test/fixture.ts'
import { unknownFields } from '../../contract/index.ts'
import { contracts, loadContract } from '../../contracts/index.ts'
import { formatPointer } from '../../document/index.ts'
import { describeFor } from './families.ts'
import { leftOut } from './left-out.ts'

const around = { now: Date.UTC(2026, 0, 14), sound: true }

/** A copy in which every object has an unknown key, with a value that is found again. */
function extended(value: unknown, at = ''): unknown {
  if (Array.isArray(value)) return value.map((entry, i) => extended(entry, `${at}/${i}`))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => [key, extended(part, `${at}/${key}`)])
  return { ...Object.fromEntries(parts), own_key: `own value of ${at}/own_key.` }
}

const SAMPLES = contracts.flatMap(contract => {
  const sound = fixturesOf(contract.id).filter(f => f.kind === 'valid' && f.file.endsWith('.json'))
  return sound.length > 0 ? [[contract.name, contract, sound.map(f => f.file)] as const] : []
})

test.each(SAMPLES)(
  'what a %s ignores is either shown or listed as not shown',
  async (...sample) => {
    const [name, contract, files] = sample
    const { schema } = await loadContract(contract)
    for (const file of files) {
      const value = extended(JSON.parse(readFileSync(file, 'utf8')))
      const said = JSON.stringify(describeFor(name)(value, around))
      const omitted = await leftOut(name, value)
      for (const path of unknownFields(schema, value).filter(path => path.at(-1) === 'own_key')) {
        const at = formatPointer(path)
        const isTold = omitted.includes(at.replace(/\/[0-9]+(?=\/)/g, '/*'))
        expect([file, at, isTold]).toEqual([file, at, !said.includes(`own value of ${at}.`)])
      }
    }
  },
)

test('entries of a list count as one, and what has no contract leaves nothing out', async () => {
  const findings = [{ finding: 'a' }, { finding: 'b', 'x/y': 1 }]
  expect(
    await leftOut('session-context', { payload: { key_findings: findings, score: 1 } }),
  ).toEqual(['/payload/key_findings/*/finding', '/payload/key_findings/*/x~1y', '/payload/score'])
  expect(await leftOut(null, { a: 1 })).toEqual([])
})
