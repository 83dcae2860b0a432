import type { CodeMeaning } from '../contract/index.ts'

const meaning =
  (severity: CodeMeaning['severity']) =>
  (summary: string, why: string, remedy: string): CodeMeaning => ({
    severity,
    summary,
    why,
    remedy,
  })

/** What a code means that refuses: the condition that must hold, why, and what to do. */
export const error = meaning('error')

/** What a code means that only warns. */
export const warning = meaning('warning')
