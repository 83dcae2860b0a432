import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { as, checkDocument, type Result } from '../../contract/index.ts'
import { readDocuments } from '../../document/index.ts'
import { loadContract } from '../catalogue.ts'
import contract from './contract.ts'

const loaded = await loadContract(contract)

async function check(
  text: string,
  facts: Record<string, { value: unknown }> = {},
): Promise<Result> {
  const { documents } = await readDocuments(text, 'markdown')
  const [document] = documents
  if (!document) throw new Error('no document')
  return checkDocument(document, as(contract, document.value), loaded, { now: 0, facts })
}

const hintsOf = (result: Result, rule: string) =>
  result.diagnostics.filter(d => d.code === `handoff-document/${rule}`).map(d => d.hint)

describe('the hint for a missing section', () => {
  test.each([
    [
      'an absent one says what belongs there',
      '',
      "add '## Decisions Made': each decision with its reason and the alternatives that were rejected",
    ],
    [
      'one of level 3 names the line',
      '### Decisions Made\n',
      "line 1 is a heading of level 3; write '## Decisions Made'",
    ],
    [
      'one of level 1 names the line',
      '\n# Decisions Made\n',
      "line 2 is a heading of level 1; write '## Decisions Made'",
    ],
    [
      'another case shows what is there',
      '## decisions made\n',
      "line 1 says 'decisions made'; write '## Decisions Made'",
    ],
    [
      'a slip of the pen shows what is there',
      '## Decision Made:\n',
      "line 1 says 'Decision Made:'; write '## Decisions Made'",
    ],
    [
      'one without a space behind its marks says so',
      '\n##Decisions Made\n',
      "line 2 is not a heading: '##Decisions Made'; write '## Decisions Made'",
    ],
    [
      'a bold line says so',
      '  **Decisions Made:** \r\n- one',
      "line 1 is not a heading: '**Decisions Made:**'; write '## Decisions Made'",
    ],
    [
      'a bold line in a sentence is none',
      '**Decisions Made** are below\n',
      "add '## Decisions Made': each decision with its reason and the alternatives that were rejected",
    ],
    [
      'one in a fence says so',
      '~~~\n## Decisions Made\n~~~\n',
      "line 2 is in a fence, comment or quote, where headings do not count; write '## Decisions Made'",
    ],
    [
      'one behind an unclosed comment says so',
      '<!--\n## Decisions Made\n',
      "line 2 is in a fence, comment or quote, where headings do not count; write '## Decisions Made'",
    ],
  ])('%s', async (_, text, hint) => {
    expect(hintsOf(await check(text), 'required-sections')).toContain(hint)
  })
})

test('the hint for staleness says what the class asks for', async () => {
  const text =
    '---\ntimestamp: "1969-12-01T00:00:00Z"\nmode: CREATE\nadr_id: ADR-1.0.0\nbranch: b\nagent: a\n---\n'
  expect(hintsOf(await check(text), 'fresh')).toEqual([
    'have a person verify it before resuming from it; consider writing a new one instead',
  ])
})

test.each([
  ['in the frontmatter', 'agent: "token=abcdefghij1234567890"', 4],
  ['in the body', 'The token=abcdefghij1234567890 is an example.', 6],
])('what the hint about a secret says excuses it %s', async (_, line, at) => {
  const lines = ['---', 'mode: CREATE', 'branch: b', '---', '', 'Words.']
  lines.splice(at - 1, 0, line)
  const before = await check(lines.join('\n'))
  const [hint = ''] = hintsOf(before, 'no-secrets')
  lines.splice(at - 1, 0, /'(.*)'/.exec(hint)?.[1] ?? '')
  const after = await check(lines.join('\n'))
  expect(after.suppressed).toMatchObject([{ reason: 'why', line: at + 1 }])
  const others = ({ diagnostics }: Result) =>
    diagnostics.map(({ code, message }) => [code, message])
  const secret = (finding: unknown[]) => finding[0] === 'handoff-document/no-secrets'
  expect(others(after)).toEqual(others(before).filter(finding => !secret(finding)))
})

test.each([
  ['a plain text', 'agent: one\n  token=abcdefghij1234567890'],
  ['a quoted text', 'agent: "one\n  token=abcdefghij1234567890"'],
  ['a block', 'agent: |\n  one\n  token=abcdefghij1234567890'],
  ['the first line of a block', 'agent: |\n  token=abcdefghij1234567890'],
  ['a text in a list', 'agent:\n  - one\n    token=abcdefghij1234567890'],
])('within %s no comment can excuse a secret, and none is advised', async (_, field) => {
  const result = await check(`---\nmode: CREATE\n${field}\nbranch: b\n---\n\nWords.\n`)
  expect(hintsOf(result, 'no-secrets')).toEqual(['remove it and rotate the credential'])
})

test('the rules take no longer than a few times what reading takes, by the thousand too', async () => {
  const unit =
    '<!-- a --> TODO <!-- b -->\n\n- `a/b.ts` password=x\n\n### Decisions Mode\n\n## Immediate Next Steps\n\n1. a\n\n'
  const text = `## Evidence / Artifacts\n\n${unit.repeat(10_000)}`
  const files = { kindOf: () => 'missing', matches: () => false, sha256: () => undefined }
  // A ratio within one run, and the best of three: what the machine does meanwhile slows down either.
  const ratios: number[] = []
  for (let i = 0; i < 3; i += 1) {
    const reading = await cpuTimeOf(() => readDocuments(text, 'markdown'))
    ratios.push((await cpuTimeOf(() => check(text, { files: { value: files } }))) / reading)
  }
  expect(Math.min(...ratios)).toBeLessThan(6)
})
