import { type Adapter, readWith } from '../adapter.ts'

const KEYS = {
  writers: /^(?:edit|write|multiedit)$/i,
  files: ['filePath', 'file_path', 'path'],
  command: ['command'],
  folder: ['workdir'],
  patchers: /^(?:patch|apply_patch)$/i,
  patches: ['patchText', 'patch'],
}

const read = readWith(KEYS)

/** Hooks of OpenCode: the plugin passes its events on as JSON, and does what the answer says. */
export const opencode: Adapter = {
  agent: 'opencode',
  title: 'OpenCode',
  events: {
    'session.created': { kind: 'start' },
    'tool.execute.before': { kind: 'tool' },
    'session.compacting': { kind: 'compact' },
    'session.compacted': { kind: 'start' },
    'session.idle': { kind: 'stop' },
    'session.deleted': { kind: 'end' },
  },
  canAsk: false,
  loadInstaller: () => import('./install.ts'),
  read: (event, payload) => ({
    ...read(event, payload),
    ...(event === 'session.compacted' && { isCompacted: true }),
  }),
  answer: (_event, { context, decision, reason, notice }) => ({
    ...(context !== undefined && { context }),
    ...(decision !== undefined && { deny: reason }),
    ...(decision === undefined && reason !== undefined && { ask: reason }),
    ...(notice !== undefined && { notice }),
  }),
}
