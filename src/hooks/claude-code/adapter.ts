import type { Fields } from '../../contract/index.ts'
import { type Adapter, readWith, type Verdict } from '../adapter.ts'

const KEYS = {
  writers: /^(?:Edit|MultiEdit|Write|NotebookEdit)$/i,
  files: ['file_path', 'notebook_path'],
  command: ['command'],
}

/** Hooks of Claude Code: JSON on standard input and output, exit code 0. */
export const claudeCode: Adapter = {
  agent: 'claude-code',
  title: 'Claude Code',
  events: {
    SessionStart: { kind: 'start' },
    PreToolUse: { kind: 'tool', matcher: 'Bash|Edit|MultiEdit|Write|NotebookEdit' },
    PreCompact: { kind: 'compact' },
    SubagentStop: { kind: 'sub-agent' },
    Stop: { kind: 'stop' },
    SessionEnd: { kind: 'end' },
  },
  canAsk: true,
  loadInstaller: () => import('./install.ts'),
  read: readWith(KEYS),
  // Before a compaction, text is added to the instructions for the summary.
  answer: (event, { notice, ...verdict }) =>
    event === 'PreCompact' && verdict.context !== undefined
      ? verdict.context
      : { ...(notice !== undefined && { systemMessage: notice }), ...claudeAnswer(event, verdict) },
}

/** The answer to an event in the form that Claude Code and Codex share. */
export function claudeAnswer(event: string, { context, decision, reason }: Verdict): Fields {
  return {
    ...(context !== undefined && {
      hookSpecificOutput: { hookEventName: event, additionalContext: context },
    }),
    ...(decision !== undefined && {
      hookSpecificOutput: {
        hookEventName: event,
        permissionDecision: decision,
        permissionDecisionReason: reason,
      },
    }),
    ...(decision === undefined && reason !== undefined && { decision: 'block', reason }),
  }
}
