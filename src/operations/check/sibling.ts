import { join } from 'node:path'
import { checkDocument, type Recognised, recognise } from '../../contract/index.ts'
import { contractsIn, loadContract, titlesIn } from '../../contracts/index.ts'
import { type Document, formatOf, readDocuments } from '../../document/index.ts'
import { readSource } from './source.ts'

/** A structurally valid document that serves as a fact for another. */
export interface Sibling {
  readonly path: string
  readonly contract: string
  readonly value: unknown
}

/** The documents of a file that serve as facts: valid ones, and invalid ones. */
export interface SiblingFile {
  readonly siblings: readonly Sibling[]
  readonly faulty: readonly {
    readonly path: string
    readonly contract: string
    readonly value: unknown
    readonly errors: number
    /** The text has syntax errors, so the value serves only for recognition. */
    readonly garbled: boolean
  }[]
}

/** Which documents of a file to read, and how to recognise them. */
interface Wanted {
  readonly wants: (contract: string, value: unknown) => boolean
  /** The name used for recognition instead of the path. */
  readonly name?: string
  /** Also recognises a file by its keys, like one named by the user. */
  readonly byKeys?: boolean
}

/** Reads the documents of a file as facts; checks only their structure, so that documents may refer to each other. */
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
  // A file name says nothing about the blocks in it.
  if (document.line !== undefined) return recognise(document.value, '', fitting, 'walk')
  const sure = document.faults.length > 0 ? 'broken' : 'named'
  const titles = titlesIn(document.markdown)
  return recognise(document.value, name, fitting, byKeys ? sure : 'walk', titles)
}
