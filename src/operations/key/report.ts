import type { KeyChange } from '../../governance/index.ts'
import type { KeyChangesOutput } from './output.ts'

/** What became of keys, as operations answer it. */
export function changesOutput(changes: readonly KeyChange[]): KeyChangesOutput {
  return {
    changes: changes.map(({ change, holder, keyid, at, replaced = [], why = null }) => {
      return { change, holder, keyid, at, replaced, why }
    }),
  }
}
