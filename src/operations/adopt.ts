import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isHandoffContract } from '../contracts/index.ts'
import { type Document, maskSecrets, readDocuments } from '../document/index.ts'
import { type Config, loadConfig, openFiles } from '../workspace/index.ts'
import { type Converted, convert } from './adopt/convert.ts'
import { adoptedBefore, type Candidate, findCandidates } from './adopt/find.ts'
import type { AdoptedDocument, AdoptOutput } from './adopt/output.ts'
import { mustKnowHeadings } from './check/headings.ts'
import type { ReportedDiagnostic } from './check/output.ts'
import { readSource } from './check/source.ts'
import check from './check.ts'
import { draftPath, freePath, writeNew } from './new/place.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { cleanse } from './show/cleanse.ts'

const input = {
  type: 'object',
  properties: {
    paths: {
      type: 'array',
      items: { type: 'string' },
      positional: true,
      path: true,
      placeholder: 'path',
      description:
        'Files, or folders with files whose names are near that of a handoff (default: the repository).',
    },
    dryRun: { type: 'boolean', description: 'Show what maps to what and write nothing.' },
  },
} as const

/** Makes handoff notes of files in other shapes. */
export default defineOperation({
  name: 'adopt',
  summary: 'Make a handoff note of a file in another shape',
  description:
    'Maps the headings of a Markdown file to the common names of handoff notes, writes the frontmatter from what the file ' +
    "states, and writes the note to 'handoffs/' next to the original, which is never changed. All text is kept, and so are " +
    'headings that stand for nothing. A file without decisions gets a section that says so; one without a state or next ' +
    "steps becomes a draft. 'headings' in waybill.yaml maps headings of your own for good. Valid handoffs are left " +
    'alone. Exits with 1 when a file is refused or becomes a draft.',
  examples: [
    { command: 'waybill adopt --dry-run', does: 'show what would become of the handoffs here' },
    { command: 'waybill adopt HANDOFF.md', does: 'write a note from one file' },
  ],
  actor: 'any',
  effect: 'write',
  rootOf: 'documents',
  input,
  run: (given, app) => adopt(given, app),
  failed: ({ documents }) =>
    documents.some(({ outcome }) => outcome === 'draft' || outcome === 'refused'),
})

async function adopt(
  { paths = [], dryRun = false }: TypeOf<typeof input>,
  app: App,
): Promise<AdoptOutput> {
  const config = await loadConfig(app.root)
  mustKnowHeadings(config)
  const documents: AdoptedDocument[] = []
  for (const candidate of await findCandidates(paths, config, app)) {
    const adopted = await adoptOne(candidate, { config, dryRun, app })
    if (adopted) documents.push(adopted)
  }
  return { documents, dryRun }
}

interface Around {
  readonly config: Config
  readonly dryRun: boolean
  readonly app: App
}

const NOTHING: Omit<AdoptedDocument, 'path' | 'outcome'> = {
  output: null,
  reason: null,
  headings: [],
  added: [],
  notes: [],
  diagnostics: [],
  text: null,
}

/** Returns what becomes of a file; nothing for one that was only found and is no handoff. */
async function adoptOne(
  candidate: Candidate,
  around: Around,
): Promise<AdoptedDocument | undefined> {
  const { path, named } = candidate
  const refused = (reason: string): AdoptedDocument | undefined =>
    named ? { path, outcome: 'refused', ...NOTHING, reason } : undefined
  if (await isSound(candidate, around.app)) return { path, outcome: 'sound', ...NOTHING }
  const read = readSource(candidate)
  if (typeof read === 'string') return refused(`it cannot be read: ${read}`)
  const [document] = (await readDocuments(read.text, 'markdown', read.faults)).documents
  if (!document?.markdown) return refused(document?.faults[0]?.message ?? 'it is not Markdown')
  const converted = convert({
    path,
    document,
    // A clock that was ahead must not make the note one of the future.
    modified: Math.min(statSync(candidate.file).mtimeMs, around.app.now),
    headings: around.config.headings,
    exists: place => openFiles(around.app.root).kindOf(place) === 'file',
  })
  const { parts } = converted
  if (!parts.has('state') && !parts.has('next')) return refused(NO_HANDOFF)
  // A draft of a file that was only found would be a surprise.
  if (!named && !(parts.has('state') && parts.has('next')))
    return { path, outcome: 'refused', ...NOTHING, reason: HALF }
  const before = adoptedBefore(path, converted.path, around.app.root)
  if (before !== undefined) return { path, outcome: 'known', ...NOTHING, output: before }
  return cleanse(await write(path, document, converted, around), document.text)
}

const NO_HANDOFF =
  "no heading tells its state or next steps: map yours under 'headings' in waybill.yaml, such as 'Wrap-up: Next Steps'"

const HALF =
  'its state or its next steps are missing; name the file to write a draft of a note from it'

/** Whether a file is a valid handoff as it is. */
async function isSound({ file }: Candidate, app: App): Promise<boolean> {
  const { documents } = await check.run({ paths: [file] }, app)
  return documents.some(({ contract, accepted }) => isHandoffContract(contract) && accepted)
}

async function write(
  path: string,
  document: Document,
  converted: Converted,
  { dryRun, app }: Around,
): Promise<AdoptedDocument> {
  const { text, added, notes } = converted
  const target = freePath(converted.path, false, app)
  const diagnostics = await checkNote(text, target, app)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const isSecret = errors.some(({ code }) => code === 'handoff-note/no-secrets')
  const isDraft = errors.length > 0
  const output = isDraft ? draftPath(target) : target
  return {
    path,
    outcome: isSecret ? 'refused' : isDraft ? 'draft' : 'adopted',
    output: isSecret ? null : dryRun ? output : writeNew(output, text, false, app),
    reason: isSecret ? 'it may contain a credential, which a copy would spread' : null,
    headings: converted.headings.map(({ title, span, part = null, how }) => ({
      ...{ title, part, how },
      line: document.range(span).start.line + 1,
    })),
    added: added.map(({ title, missing }) => ({ title, missing })),
    notes: [...notes],
    diagnostics,
    text: dryRun && !isSecret ? maskSecrets(text) : null,
  }
}

/** Runs the full `waybill check` on the note before it is written. */
async function checkNote(
  text: string,
  path: string,
  app: App,
): Promise<readonly ReportedDiagnostic[]> {
  const bytes = new TextEncoder().encode(text)
  const { documents } = await check.run(
    { paths: ['-'], stdinPath: resolve(app.root, path), contract: 'handoff-note' },
    { ...app, stdin: async () => bytes },
  )
  return documents.find(d => !d.path.includes('#L'))?.diagnostics ?? []
}
