import {
  fileStorage,
  openKeys,
  openLogReader,
  type ReadEntry,
  readEntry,
  readTrust,
} from '../src/governance/index.ts'
import { loadConfig } from '../src/workspace/index.ts'

type Entry = Extract<ReadEntry, { is: 'entry' }>

/** Everything that a repository's log has published, in order. */
export async function entriesOf({ root }: { readonly root: string }): Promise<readonly Entry[]> {
  const trust = readTrust(await loadConfig(root))
  const { origin = '' } = openKeys(root, trust)
  const log = await openLogReader(fileStorage(root), { origin, trust })
  const size = await log.size()
  const entries: Entry[] = []
  for (let index = 0; index < size; index++) {
    const entry = readEntry((await log.content(index)) ?? '')
    if (entry.is !== 'entry') throw new Error(`entry ${index} is ${entry.is}`)
    entries.push(entry)
  }
  return entries
}
