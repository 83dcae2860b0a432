import { join } from 'node:path'
import { formatVerifierKey, type VerifierKey } from '../../ledger/index.ts'
import { openStateFolder, readOwnFile, sha256, writeAtomically } from '../../workspace/index.ts'

/** The last known size that each witness cosigned; a wrong size costs one more request. */
export interface Memory {
  sizeOf(witness: VerifierKey): number
  keep(witness: VerifierKey, size: number): void
}

const MOST_BYTES = 65_536

/** Opens the stored sizes for the witnesses of a log. */
export function openMemory(root: string, origin: string): Memory {
  const fileOf = (witness: VerifierKey) => {
    const name = sha256(`${origin}\n${formatVerifierKey(witness)}`).slice(0, 32)
    return join(openStateFolder(root, 'witnesses'), name)
  }
  return {
    sizeOf: witness => readSize(fileOf(witness)),
    keep: (witness, size) => {
      const says = { origin, witness: formatVerifierKey(witness), size }
      writeAtomically(fileOf(witness), `${JSON.stringify(says)}\n`)
    },
  }
}

function readSize(file: string): number {
  try {
    const { size } = JSON.parse(readOwnFile(file, MOST_BYTES)?.toString() ?? '{}')
    return Number.isSafeInteger(size) && size >= 0 ? size : 0
  } catch {
    return 0
  }
}
