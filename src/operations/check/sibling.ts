import { join } from 'node:path'
import { checkDocument, type Recognised, recognise } from '../../contract/index.ts'
import { contractsIn, loadContract } from '../../contracts/index.ts'
import { type Document, formatOf, readDocuments } from '../../document/index.ts'
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

/** Which documents of a file are facts for others, and how they are recognised. */
interface Wanted {
  readonly wants: (contract: string, value: unknown) => boolean
  /** What the file is recognised by, where that is not its own path. */
  readonly name?: string
  /** Takes a file for what its keys show it to be, too, as one that the user named. */
  readonly byKeys?: boolean
}

/** Reads a file for the facts it holds; only its structure is checked, so that two documents may refer to each other. */
export async function readSiblings(
  root: string,
  path: string,
  { wants, name = path, byKeys = false }: Wanted,
): Promise<SiblingFile> {
  const read = readSource({ file: join(root, path), path, named: false })
  const siblings: Sibling[] = []
  const faulty: SiblingFile['faulty'][number][] = []
  if (typeof read === 'string') return { siblings, faulty }
  const { documents } = await readDocuments(read.text, formatOf(path, read.text), read.faults)
  for (const document of documents) {
    const recognised = recogniseIn(document, name, byKeys)
    if (!recognised || !wants(recognised.contract.name, recognised.value)) continue
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

function recogniseIn(document: Document, name: string, byKeys: boolean): Recognised | undefined {
  const fitting = contractsIn(document.format)
  // The name of a file says nothing about the blocks in it.
  if (document.line !== undefined) return recognise(document.value, '', fitting, 'walk')
  const sure = document.faults.length > 0 ? 'broken' : 'named'
  return recognise(document.value, name, fitting, byKeys ? sure : 'walk')
}
