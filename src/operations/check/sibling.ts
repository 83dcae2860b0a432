import { join } from 'node:path'
import { checkDocument, recognise } from '../../contract/index.ts'
import { contractsIn, loadContract } from '../../contracts/index.ts'
import { formatOf, readDocuments } from '../../document/index.ts'
import { readSource } from './source.ts'

/** A structurally sound document that stands beside the one being checked. */
export interface Sibling {
  readonly path: string
  readonly contract: string
  readonly value: unknown
}

/** What a file holds as facts for others: its sound documents, and how many faulty ones. */
export interface SiblingFile {
  readonly siblings: readonly Sibling[]
  readonly faulty: readonly {
    readonly path: string
    readonly contract: string
    readonly value: unknown
    readonly errors: number
    /** The text could not be read as it stands, so the value is good for recognition only. */
    readonly garbled: boolean
  }[]
}

/** Reads a file for the facts it holds; only its structure is checked, so that two documents may refer to each other; `name` is what it is recognised by. */
export async function readSiblings(
  root: string,
  path: string,
  wanted: (contract: string) => boolean,
  name = path,
): Promise<SiblingFile> {
  const read = readSource({ file: join(root, path), path, named: false })
  const siblings: Sibling[] = []
  const faulty: SiblingFile['faulty'][number][] = []
  if (typeof read === 'string') return { siblings, faulty }
  const { documents } = await readDocuments(read.text, formatOf(path, read.text), read.faults)
  for (const document of documents) {
    const fitting = contractsIn(document.format)
    const called = document.line === undefined ? name : ''
    const recognised = recognise(document.value, called, fitting, 'walk')
    if (!recognised || !wanted(recognised.contract.name)) continue
    const loaded = await loadContract(recognised.contract)
    const result = checkDocument(document, recognised, loaded, { now: 0, structureOnly: true })
    const contract = recognised.contract.name
    if (result.accepted) siblings.push({ path, contract, value: recognised.value })
    else
      faulty.push({
        path,
        contract,
        value: recognised.value,
        errors: result.diagnostics.filter(d => d.severity === 'error').length,
        garbled: document.faults.length > 0,
      })
  }
  return { siblings, faulty }
}
