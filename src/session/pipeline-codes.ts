import type { CodeMeaning } from '../contract/index.ts'

/** What keeps a status of a pipeline from being set. */
export const PIPELINE_CODES = {
  'pipeline/sound-document': {
    severity: 'error',
    summary: 'A status is set only in a part of the document that is sound.',
    why: 'What is at fault cannot be told apart, and what would follow from the status is anybody’s guess.',
    remedy: 'See what is wrong with waybill check, and correct it first.',
  },
  'pipeline/ready': {
    severity: 'error',
    summary: 'Only what waits for nothing is started or completed.',
    why: 'Who starts too early works on inputs that are not there yet, or that still change.',
    remedy:
      'Complete first what the message names; waybill pipeline status shows what waits for what.',
  },
  'pipeline/agents-agree': {
    severity: 'error',
    summary: 'A phase is as far as its agents are.',
    why: 'A phase that is said to be done while an agent works lets others start on half of its results.',
    remedy: 'Set its agents; the status of the phase follows them.',
  },
  'pipeline/outputs-exist': {
    severity: 'error',
    summary: 'What is complete has written the files that it says it writes.',
    why: 'Whoever comes next reads these files; without them nothing was handed over.',
    remedy:
      'Write the file, from the root of the repository or beside the document, or correct its path.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A code of what keeps a status from being set. */
export type PipelineCode = keyof typeof PIPELINE_CODES
