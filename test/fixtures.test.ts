import { describe, expect, test } from 'vitest'
import { contracts, loadContract } from '../src/contracts/index.ts'
import { checkFixture, fixturesOf, golden } from './fixture.ts'

describe.each(contracts.map(contract => [contract.id, contract] as const))(
  '%s',
  async (id, contract) => {
    const loaded = await loadContract(contract)
    const fixtures = fixturesOf(id)
    const rules = Object.keys(loaded.rules)

    test.each(rules)('the rule %s has a near miss and a breaking example', rule => {
      const kinds = fixtures.filter(f => f.name === rule).map(f => f.kind)
      expect(kinds).toEqual(['valid', 'invalid'])
    })

    test.each(fixtures.map(f => [`${f.kind}/${f.name}`, f] as const))(
      '%s has the findings that are written next to it',
      async (_, fixture) => {
        const { result, document } = await checkFixture(fixture, loaded)
        const own = `${contract.name}/${fixture.name}`
        const lines = document.text.split(/\r\n|\r|\n/)
        for (const { range } of result.diagnostics) {
          expect(range.start.line).toBeLessThan(lines.length)
          expect(range.end.line).toBeLessThan(lines.length)
        }
        if (fixture.kind === 'valid') {
          expect(
            golden(result)
              .split('\n')
              .filter(line => line.includes(' error ') || line.includes(own)),
          ).toEqual([])
          expect(result.accepted).toBe(true)
        } else {
          if (rules.includes(fixture.name)) {
            const codes = [...result.diagnostics, ...result.suppressed].map(d => d.code)
            expect(codes).toContain(own)
          }
          await expect(golden(result)).toMatchFileSnapshot(
            fixture.file.replace(/\.[a-z]+$/, '.out'),
          )
        }
      },
    )
  },
)
