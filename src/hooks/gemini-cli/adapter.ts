import { type Adapter, readWith } from '../adapter.ts'

const KEYS = {
  writers: /^(?:write_file|replace|edit)$/i,
  files: ['file_path', 'absolute_path', 'path'],
  command: ['command'],
  folder: ['dir_path', 'directory'],
}

/** Hooks of Gemini CLI: JSON on standard input and output, exit code 0. */
export const geminiCli: Adapter = {
  agent: 'gemini-cli',
  title: 'Gemini CLI',
  events: {
    SessionStart: { kind: 'start' },
    BeforeAgent: { kind: 'turn' },
    BeforeTool: { kind: 'tool', matcher: 'run_shell_command|write_file|replace' },
    PreCompress: { kind: 'compact' },
    AfterAgent: { kind: 'stop' },
    SessionEnd: { kind: 'end' },
  },
  canAsk: false,
  loadInstaller: () => import('./install.ts'),
  read: readWith(KEYS),
  answer: (event, { context, reason, notice }) => ({
    ...(notice !== undefined && { systemMessage: notice }),
    // Before a compression, its answer has no place for context.
    ...(context !== undefined &&
      event !== 'PreCompress' && { hookSpecificOutput: { additionalContext: context } }),
    ...(reason !== undefined && { decision: 'deny', reason }),
  }),
}
