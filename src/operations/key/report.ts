import type { KeyChange } from '../../governance/index.ts'
import type { KeyChangesOutput } from './output.ts'

/** Converts key changes to output. */
export function changesOutput(changes: readonly KeyChange[]): KeyChangesOutput {
  return {
    changes: changes.map(({ change, holder, keyid, at, replaced = [], why = null }) => {
      return { change, holder, keyid, at, replaced, why }
    }),
  }
}
