import { existsSync, readdirSync } from 'node:fs'
import { WaybillError } from '../../error.ts'
import { guardFiles, ledgerFolder } from './log.ts'

/**
 * Whether there is a log in a repository; an empty folder is none.
 *
 * @throws WaybillError where a copy of its checkpoint says that there was one: what is gone was not never there.
 */
export function hasLog(root: string, origin: string, stateHome: string | undefined): boolean {
  // The guards come first: another process may be making its first entry, and makes the folder before them.
  const guard = guardFiles(root, origin, stateHome).find(file => existsSync(file))
  if (isFilled(ledgerFolder(root))) return true
  if (guard === undefined) return false
  throw new WaybillError('ledger-tampered', `the ledger is gone: ${guard} holds its checkpoint`, {
    hint: 'put the newest copy of the whole folder .waybill/ledger back',
  })
}

function isFilled(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw new WaybillError('input-output', `${folder} cannot be read (${code})`, { cause })
  }
}
