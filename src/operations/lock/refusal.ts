import type { LockCode } from '../../governance/index.ts'
import type { ReportedRefusal } from './output.ts'

/** One reason for refusing, with a typed code; the published type has a plain string. */
export type Refusal = ReportedRefusal & { readonly code: LockCode }
