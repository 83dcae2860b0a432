import type { CodeMeaning } from '../../contract/index.ts'

/** Reasons why prompts cannot be locked although the manifest is valid. */
export const LOCK_CODES = {
  'lock/quarantined': {
    severity: 'error',
    summary: 'No agent is in quarantine, and locking changes no entry of one that is.',
    why: 'Its prompt differs from the approved version; locking it again would approve the change silently.',
    remedy: 'Have a person review the prompt and record the result with waybill lock reconcile.',
  },
  'lock/no-prompt': {
    severity: 'error',
    summary: 'No agent uses the manifest, the lockfile or waybill.yaml as its prompt.',
    why: 'These files change for other reasons, each change would quarantine the agent, and none of them is a prompt.',
    remedy: 'Name the prompt file that the agent runs with.',
  },
  'lock/stray-file': {
    severity: 'info',
    summary: 'Every file in the prompt folders with the same extension is the prompt of an agent.',
    why: 'It is not approved and its changes go unnoticed; it may be a prompt missing from the manifest.',
    remedy: 'List it in the manifest and lock it, or move it elsewhere.',
  },
  'lock/newer-format': {
    severity: 'error',
    summary: 'The lockfile to rewrite has a supported format.',
    why: 'An older version cannot preserve keys that it does not know.',
    remedy: 'Use the version of Waybill that wrote it, or a newer one.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A reason why prompts cannot be locked. */
export type LockCode = keyof typeof LOCK_CODES
