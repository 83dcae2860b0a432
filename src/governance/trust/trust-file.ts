import { join } from 'node:path'
import { type Change, decode, editDocument, formatYaml, type Json } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  CONFIG_FILE,
  type Config,
  createAtomically,
  parseConfig,
  readConfig,
  sha256,
  swapAtomically,
} from '../../workspace/index.ts'
import { readTrust, type Trust } from './trust.ts'

/** The configuration with the text that it was read from, so that it can be changed. */
export interface TrustFile {
  readonly config: Config
  readonly trust: Trust
  /**
   * Writes the text with changes of its list of keys; nothing is written that could not be read again.
   *
   * Gives what puts the old text back, unless somebody else has changed the new one.
   */
  write(changes: TrustChanges): Promise<() => void>
}

/** What becomes of the list of keys. */
export interface TrustChanges {
  /** New entries, for its end. */
  readonly added?: readonly TrustEntry[]
  /** Times that entries get, by their place. */
  readonly ended?: readonly {
    readonly entry: number
    readonly key: 'until' | 'revoked'
    readonly at: string
  }[]
}

/** One entry of the list as it is written. */
export type TrustEntry = NonNullable<Config['trust']>[number]

const MARK = '\ufeff'

/**
 * Opens the configuration at a root for changes of its list of keys.
 *
 * @param starter What the file begins with where there is none.
 * @throws WaybillError `configuration` when it or its trust is at fault.
 */
export async function openTrustFile(root: string, starter = ''): Promise<TrustFile> {
  const bytes = readConfig(root)
  const config = await parseConfig(bytes)
  const trust = readTrust(config)
  const text = bytes ? decode(bytes).text : starter
  const isMarked = bytes !== undefined && Buffer.from(bytes).toString('utf8').startsWith(MARK)
  const [mark, plain] = [isMarked ? MARK : '', text.replace(MARK, '')]
  return {
    config,
    trust,
    write: async changes => {
      const edited = `${mark}${editText(plain, config, changes)}`
      readTrust(await parseConfig(Buffer.from(edited)))
      const file = join(root, CONFIG_FILE)
      if (bytes) swapAtomically(root, file, sha256(bytes), edited)
      else if (!createAtomically(file, edited)) {
        throw new WaybillError('conflict', `${CONFIG_FILE} was written by somebody else just now`, {
          hint: 'nothing was written; run this again',
        })
      }
      return () => swapAtomically(root, file, sha256(edited), `${mark}${plain}`)
    },
  }
}

function editText(text: string, config: Config, changes: TrustChanges): string {
  const { added = [] } = changes
  const says = text.split(/\r?\n/).some(line => !/^\s*(?:#|$)/.test(line))
  if (says) return editDocument(text, 'yaml', editsOf(config, changes))
  // A text that says nothing yet is no document that could be edited.
  if (added.length === 0) return text
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const open = text === '' || text.endsWith('\n') ? '' : end
  return `${text}${open}${formatYaml({ trust: added }).replaceAll('\n', end)}`
}

function editsOf(config: Config, { added = [], ended = [] }: TrustChanges): readonly Change[] {
  const size = config.trust?.length ?? 0
  const entries = added as readonly Json[]
  // A list that is written at once costs as much as one entry; each further edit reads the text again.
  const additions: readonly Change[] =
    size === 0 && entries.length > 0
      ? [{ path: ['trust'], value: entries }]
      : entries.map((value, index) => ({ path: ['trust', size + index], value }))
  return [
    ...ended.map(({ entry, key, at }) => ({ path: ['trust', entry, key], value: at })),
    ...additions,
  ]
}
