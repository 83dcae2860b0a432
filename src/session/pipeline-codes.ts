import type { CodeMeaning } from '../contract/index.ts'

/** The codes of reasons to refuse a status. */
export const PIPELINE_CODES = {
  'pipeline/sound-document': {
    severity: 'error',
    summary: 'A status is set only in a valid part of the document.',
    why: 'In an invalid part, the unit and the consequences of its status are ambiguous.',
    remedy: 'Run waybill check and correct the errors first.',
  },
  'pipeline/ready': {
    severity: 'error',
    summary: 'A unit is started or completed only when it waits for nothing.',
    why: 'Starting too early works on inputs that are missing or still change.',
    remedy:
      'Complete the units named in the message first; waybill pipeline status shows the dependencies.',
  },
  'pipeline/agents-agree': {
    severity: 'error',
    summary: 'The status of a phase follows its agents.',
    why: 'If a phase is complete while an agent still works, others start on partial results.',
    remedy: 'Set the status of its agents; that of the phase follows.',
  },
  'pipeline/outputs-exist': {
    severity: 'error',
    summary: 'A complete unit has written its declared files.',
    why: 'The next units read these files; without them nothing is handed over.',
    remedy:
      'Write the file, relative to the repository root or to the document, or correct its path.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

export type PipelineCode = keyof typeof PIPELINE_CODES
