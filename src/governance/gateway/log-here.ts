import { join } from 'node:path'
import { mayReadKeys, readOrigin } from '../keys/key-files.ts'
import { openKeys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import { checkpointOf, ledgerFolder, textIfThere } from './storage.ts'

/**
 * The log that is kept here, for those who only read it: an account that may not look at the private keys goes by the
 * checkpoint, which has to be signed by a trusted key of that name.
 */
export function logHere(root: string, trust: Trust): string | undefined {
  if (mayReadKeys(root)) return openKeys(root, trust).origin
  const published = textIfThere(join(ledgerFolder(root), 'checkpoint'))
  // Where nothing is published, or elsewhere, nobody but the keys can tell; that says why it cannot be read.
  return checkpointOf(published ?? '')?.origin ?? readOrigin(root)
}
