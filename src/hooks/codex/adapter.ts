import { type Adapter, readWith } from '../adapter.ts'
import { claudeAnswer } from '../claude-code/adapter.ts'

const KEYS = {
  writers: /^(?:Edit|Write)$/i,
  files: ['file_path', 'path'],
  command: ['command', 'cmd'],
  folder: ['workdir'],
  patchers: /^apply_patch$/i,
  patches: ['command', 'input', 'patch'],
}

/** Hooks of Codex: the answers of Claude Code, without a question to the user. */
export const codex: Adapter = {
  agent: 'codex',
  title: 'Codex',
  events: {
    SessionStart: { kind: 'start' },
    PreToolUse: { kind: 'tool', matcher: 'Bash|apply_patch|Edit|Write' },
    PreCompact: { kind: 'compact' },
    SubagentStop: { kind: 'sub-agent' },
    Stop: { kind: 'stop' },
  },
  canAsk: false,
  loadInstaller: () => import('./install.ts'),
  read: readWith(KEYS),
  answer: (event, { notice, ...verdict }) => ({
    ...(notice !== undefined && { systemMessage: notice }),
    // Its answer before a compaction has no place for context.
    ...(event !== 'PreCompact' && claudeAnswer(event, verdict)),
  }),
}
