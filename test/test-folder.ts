import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from '../src/operations/operation.ts'

/** A folder for the time of a test, and the program around an operation that runs in it. */
export interface TestFolder {
  readonly root: string
  write(path: string, text: string | Uint8Array): void
  app(more?: Partial<App>): App
  remove(): void
}

/** Makes an empty folder under the system's temporary one; now is the first of June 2026. */
export function openTestFolder(): TestFolder {
  const root = mkdtempSync(join(tmpdir(), 'waybill-test-'))
  return {
    root,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    app: more => ({
      now: Date.UTC(2026, 5, 1),
      root,
      cwd: root,
      version: '0.0.0',
      stdin: async () => new Uint8Array(),
      ...more,
    }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

const context = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: { key_findings: [{ id: 'F-001', summary: 'It works.' }], confidence: { overall: 0.8 } },
}

/** A session context that is accepted as it is. */
export const SOUND = JSON.stringify(context, null, 2)
/** The same with one fault: an agent's id names another family (`session-context/agent-id-names-family`). */
export const FAULTY = JSON.stringify({
  ...context,
  source_agent: { id: 'nse-architect', family: 'ps' },
})
