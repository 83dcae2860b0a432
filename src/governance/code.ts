import type { CodeMeaning } from '../contract/index.ts'

const meaning =
  (severity: CodeMeaning['severity']) =>
  (summary: string, why: string, remedy: string): CodeMeaning => ({
    severity,
    summary,
    why,
    remedy,
  })

/** Meaning of a code that refuses: the condition that must hold, why, and the remedy. */
export const error = meaning('error')

/** Meaning of a code that only warns. */
export const warning = meaning('warning')
