import type { CodeMeaning } from '../../contract/index.ts'

/** Why prompts are not locked although their manifest is sound. */
export const LOCK_CODES = {
  'lock/quarantined': {
    severity: 'error',
    summary: 'No agent is in quarantine, and locking changes no entry of one that is.',
    why: 'Its prompt was found to differ from what was approved; locking it anew would approve it in silence.',
    remedy:
      'Let a person look at the prompt, and record what they found with waybill lock reconcile.',
  },
  'lock/no-prompt': {
    severity: 'error',
    summary: 'No agent has the manifest, the lock or waybill.yaml as its prompt.',
    why: 'These change for other reasons; the agent would be quarantined for each of them, and runs with no prompt.',
    remedy: 'Name the file that the agent is run with.',
  },
  'lock/stray-file': {
    severity: 'info',
    summary: 'Every file beside the prompts, with the same ending, is the prompt of an agent.',
    why: 'Nobody has approved it, and nobody notices when it changes; it may be a prompt that somebody forgot to list.',
    remedy: 'List it in the manifest and lock it, or keep it elsewhere.',
  },
  'lock/newer-format': {
    severity: 'error',
    summary: 'A lock that is rewritten has a format that is known.',
    why: 'What a later version means by its keys cannot be kept true by an older one.',
    remedy: 'Use the version of Waybill that wrote it, or a later one.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A code of why prompts are not locked. */
export type LockCode = keyof typeof LOCK_CODES
