import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Schema } from '../../src/contract/index.ts'
import { fieldTable } from './docs/fields.ts'
import { hooksPage } from './docs/hooks.ts'
import { code, fill, GENERATED, page, table } from './docs/markdown.ts'
import { commandLinePage, operationsPage } from './docs/operations.ts'
import { proofsPage } from './docs/proofs.ts'
import { recognitionOf } from './docs/recognition.ts'
import { requirementsPage } from './docs/requirements.ts'
import { rulesPage, ruleTable } from './docs/rules.ts'
import { sessionStatePage } from './docs/session-state.ts'
import { type ContractSource, readContracts } from './docs/source.ts'
import { readOperations } from './operations.ts'
import { root, writeGenerated } from './write.ts'

/** Writes the reference pages and the generated parts of other pages. */
export async function generateDocs(): Promise<void> {
  const sources = await readContracts()
  const operations = await readOperations()
  writeGenerated('docs/reference/contracts.md', await contractsPage(sources))
  writeGenerated('docs/reference/rules.md', rulesPage(sources))
  writeGenerated('docs/reference/cli.md', commandLinePage(operations))
  writeGenerated('docs/reference/operations.md', operationsPage(operations))
  writeGenerated('docs/reference/requirements.md', requirementsPage(sources))
  writeGenerated('docs/reference/session-state.md', sessionStatePage())
  writeGenerated('docs/reference/proofs.md', proofsPage())
  writeGenerated('docs/reference/hooks.md', await hooksPage())
  for (const source of sources) {
    fillPage(`src/contracts/${source.contract.id}/README.md`, {
      fields: fieldTable(source.schema),
      rules: ruleTable(source),
    })
  }
  const config: Schema = JSON.parse(readFileSync(join(root, 'schemas/config.v1.json'), 'utf8'))
  fillPage('docs/guide/configuration.md', { fields: fieldTable(config) })
}

/** Fills the marked parts of a hand-written page; a page without its markers is an error. */
function fillPage(path: string, parts: Readonly<Record<string, string>>): void {
  const file = join(root, path)
  // The architecture test checks that every contract has a page.
  if (!existsSync(file)) return
  let text = readFileSync(file, 'utf8')
  for (const [name, part] of Object.entries(parts)) {
    const filled = fill(text, name, part)
    if (filled === undefined) throw new Error(`${path} has no <!-- ${name} --> … <!-- /${name} -->`)
    text = filled
  }
  writeGenerated(path, text)
}

async function contractsPage(sources: readonly ContractSource[]): Promise<string> {
  const rows: string[][] = []
  for (const { contract, schema } of sources) {
    rows.push([
      `[${code(contract.name)}](../../src/contracts/${contract.id}/README.md)`,
      contract.version,
      contract.title,
      contract.formats.join(', '),
      await recognitionOf(contract, schema),
      `[schema](../../schemas/${contract.id}.json), [rules](rules.md#${contract.name})`,
    ])
  }
  return page(
    GENERATED,
    '# Contracts',
    'The page of each contract has its fields, its rules and an example. A document may also name its schema in ' +
      '`$schema`, or the contract can be set with `--contract`; a file named on the command line is checked against the contract ' +
      'that shares most keys with it.',
    table(['Contract', 'Version', 'Description', 'Formats', 'Recognised by', 'More'], rows),
  )
}
