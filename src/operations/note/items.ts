import { join } from 'node:path'
import { type HouseHeadings, openItems } from '../../contracts/index.ts'
import { decode, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { plainText } from '../../session/index.ts'
import { cannotRead, readOwnFile } from '../../workspace/index.ts'

/** The words of the open items of a handoff, in the order in which they are carried over. */
export async function openItemsAt(
  path: string,
  headings: HouseHeadings | undefined,
  root: string,
): Promise<string[]> {
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(join(root, path), MOST_BYTES)
  } catch (cause) {
    throw cannotRead(path, cause)
  }
  const { text, faults } = decode(bytes ?? new Uint8Array())
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  const items = document ? openItems(document, { path, headings }) : []
  return items.filter(({ done }) => !done).map(item => plainText(item.text))
}
