import { expect, test } from 'vitest'
import { catalogue } from './catalogue.generated.ts'
import { agentEntries } from './tools.ts'
import { wordsOf } from './words.ts'

const words = wordsOf(agentEntries(catalogue))

test.each([
  ['end it with --supersede', 'end it with supersede'],
  ['set --dry-run, or --structure-only', 'set dryRun, or structureOnly'],
  ['waybill schema lists the contracts', 'contract (action schema) lists the contracts'],
  ['run waybill check and fix the errors', 'run check and fix the errors'],
  ['waybill state next says why', 'state (action next) says why'],
  ['waybill init creates the keys', 'waybill init creates the keys'],
  ['pass it, or - for standard input', 'pass it'],
  ['standard input cannot be read: it is empty', 'content cannot be read: it is empty'],
  ['Writes a file. Exits with 1 when it is refused.', 'Writes a file.'],
  ['Exits with 1.', 'Exits with 1.'],
  ['waybill mcp --root <folder>', 'waybill mcp --root <folder>'],
  [
    'confirm with --verified-by and --note, or write a new one.',
    'confirm with verified-by and note, or write a new one; a person does this in a terminal',
  ],
  ['nothing of a command line', 'nothing of a command line'],
])('%s: an agent reads %s', (text, expected) => expect(words(text)).toBe(expected))

test('no hint of a refusal names a flag that an agent has as an input', () => {
  const inputs = agentEntries(catalogue).flatMap(({ operation }) =>
    Object.keys(operation.input.properties),
  )
  const flags = inputs.map(key => `--${key.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`)}`)
  for (const flag of flags) expect(words(`use ${flag}`)).not.toContain('--')
})
