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

/** The configuration with its source text, for edits. */
export interface TrustFile {
  readonly config: Config
  readonly trust: Trust
  /**
   * Writes the text with changes to the list of keys, after checking that the result parses.
   *
   * Returns a function that restores the old text, unless the new one was changed since.
   */
  write(changes: TrustChanges): Promise<() => void>
}

/** Changes to the list of keys. */
export interface TrustChanges {
  /** New entries, appended at the end. */
  readonly added?: readonly TrustEntry[]
  /** Times to set on entries, by index. */
  readonly ended?: readonly {
    readonly entry: number
    readonly key: 'until' | 'revoked'
    readonly at: string
  }[]
}

/** One entry of the list as written. */
export type TrustEntry = NonNullable<Config['trust']>[number]

const MARK = '\ufeff'

/**
 * Opens the configuration at a root for changes to its list of keys.
 *
 * @param starter The initial text of a missing file.
 * @throws {WaybillError} 'configuration' when it or its trust is invalid.
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
        throw new WaybillError('conflict', `${CONFIG_FILE} was changed by another process`, {
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
  // A text without content is not a document that can be edited.
  if (added.length === 0) return text
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const open = text === '' || text.endsWith('\n') ? '' : end
  return `${text}${open}${formatYaml({ trust: added }).replaceAll('\n', end)}`
}

function editsOf(config: Config, { added = [], ended = [] }: TrustChanges): readonly Change[] {
  const size = config.trust?.length ?? 0
  const entries = added as readonly Json[]
  // A list written at once costs as much as one entry; each further edit parses the text again.
  const additions: readonly Change[] =
    size === 0 && entries.length > 0
      ? [{ path: ['trust'], value: entries }]
      : entries.map((value, index) => ({ path: ['trust', size + index], value }))
  return [
    ...ended.map(({ entry, key, at }) => ({ path: ['trust', entry, key], value: at })),
    ...additions,
  ]
}
