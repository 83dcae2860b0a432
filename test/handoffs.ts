import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import create from '../src/operations/new.ts'
import type { App } from '../src/operations/operation.ts'
import { openTestFolder, type TestFolder } from './test-folder.ts'

/** How a test has a document made. */
export type Given = Omit<Parameters<typeof create.run>[0], 'contract'> & { contract?: string }

/** Sections that a handoff document is accepted with, where `src/a.ts` exists. */
export const SECTIONS = {
  'Current State Summary': 'The reader works.',
  'Important Context': 'Nothing odd.',
  'Decisions Made': ['**Strict**, since a typing error must be seen.'],
  'Immediate Next Steps': '1. Write tests\n2. Write docs\n3. [x] Write code',
  'Pending Work / Open Loops': '- Old files have no header.\n- Ask the owner\n  about the name',
  'Verification Checklist': '- [ ] `npm test`',
  'Evidence / Artifacts': '- `src/a.ts`: the reader',
}

/** The sections without what is left to do. */
export const { 'Immediate Next Steps': _, 'Pending Work / Open Loops': __, ...REST } = SECTIONS

/** A program with something on its standard input. */
export function stdin(content: unknown): Partial<App> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { stdin: async () => new TextEncoder().encode(text) }
}

const DAY = 24 * 3600 * 1000

/** A repository on the branch `feature/tests` in which documents are made. */
export interface HandoffFolder extends TestFolder {
  run(given?: Given, more?: Partial<App>): ReturnType<typeof create.run>
  /** A first handoff, at the first of June 2026. */
  first(): ReturnType<typeof create.run>
  /** One that was given its content a day later. */
  later(content: unknown, given?: Given): ReturnType<typeof create.run>
  textOf(path: string): string
  filesIn(path: string): string[]
}

/** Opens such a repository. */
export function openHandoffFolder(): HandoffFolder {
  const folder = openTestFolder()
  execFileSync('git', ['init', '-q', '-b', 'feature/tests'], { cwd: folder.root })
  folder.write('src/a.ts', 'x\n')
  const run: HandoffFolder['run'] = (given = {}, more = {}) =>
    create.run({ contract: 'handoff-document', agent: 'claude-code', ...given }, folder.app(more))
  return {
    ...folder,
    run,
    first: () => run({ from: '-', adr: 'ADR-0.0.25' }, stdin({ sections: SECTIONS })),
    later: (content, given = {}) =>
      run({ from: '-', ...given }, { ...stdin(content), now: Date.UTC(2026, 5, 1) + DAY }),
    textOf: path => readFileSync(join(folder.root, path), 'utf8'),
    filesIn: path =>
      existsSync(join(folder.root, path)) ? readdirSync(join(folder.root, path)).sort() : [],
  }
}

/** The text of an example of a contract. */
export function exampleOf(id: string, ending: string): string {
  return readFileSync(
    join(import.meta.dirname, `../src/contracts/${id}/fixtures/valid/example.${ending}`),
    'utf8',
  )
}
