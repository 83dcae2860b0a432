import type { LockCode } from '../../governance/index.ts'
import type { ToldRefusal } from './output.ts'

/** One reason why nothing is written; beside the published types, which need no codes of ours. */
export type Refusal = ToldRefusal & { readonly code: LockCode }
