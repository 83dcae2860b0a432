import type { SessionState } from './schema.ts'

/** What the rules ask for beside the document. */
export interface SessionStateFacts {
  /** The state before this one, structurally sound and without its wrapper. */
  readonly previous: SessionState
}
