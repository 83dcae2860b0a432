import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cannotWrite, openStateFolder } from '../../workspace/index.ts'
import { keysFolder, originFile } from '../keys/key-files.ts'
import type { Keys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import { GUARD } from './place.ts'
import { ledgerFolder } from './storage.ts'

/** Moves a copied log and the keys of its gateway to another folder of local state; keys of agents stay. */
export function setLogAside(root: string, { origin, files }: Keys, trust: Trust): void {
  const own = (['gateway', 'log'] as const).flatMap(kind => trust.of(kind, origin ?? ''))
  const keys = own.map(({ keyid }) => files.get(keyid)).filter(file => file !== undefined)
  // The origin comes last: until then a second run finds the copy again.
  const moved = [join(keysFolder(root), GUARD), ledgerFolder(root), ...keys, originFile(root)]
  const aside = mkdtempSync(join(openStateFolder(root), 'copied-'))
  for (const file of moved.filter(existsSync)) {
    try {
      renameSync(file, join(aside, basename(file)))
    } catch (cause) {
      throw cannotWrite(file, cause)
    }
  }
}
