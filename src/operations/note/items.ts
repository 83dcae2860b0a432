import { join } from 'node:path'
import { type HouseHeadings, openItems } from '../../contracts/index.ts'
import { decode, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { plainText } from '../../session/index.ts'
import { readOwnFile } from '../../workspace/index.ts'

/** The words of the open items of a handoff, in the order in which the next one numbers them. */
export async function openItemsAt(
  root: string,
  path: string,
  headings: HouseHeadings | undefined,
): Promise<string[]> {
  const bytes = readOwnFile(join(root, path), MOST_BYTES)
  const { text, faults } = decode(bytes ?? new Uint8Array())
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  const items = document ? openItems(document, { path, headings }) : []
  return items.filter(({ done }) => !done).map(item => plainText(item.text))
}
