import { posix, resolve } from 'node:path'
import { listed, minorVersion, quote } from '../contract/index.ts'
import { contracts, loadContract, upgrades } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import {
  createAtomically,
  loadConfig,
  openFiles,
  pathFromRoot,
  swapAtomically,
} from '../workspace/index.ts'
import { findSources } from './check/sources.ts'
import { refuseDash } from './gateway/write.ts'
import { makeFolders } from './new/place.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import type { UpgradeCatalogue } from './upgrade/catalogue.ts'
import { migrate, promote } from './upgrade/migrate.ts'
import { mustBeRecord } from './upgrade/note.ts'
import type { UpgradedDocument, UpgradeOutput } from './upgrade/output.ts'

const input = {
  type: 'object',
  required: ['paths'],
  properties: {
    paths: {
      type: 'array',
      items: { type: 'string' },
      positional: true,
      path: true,
      placeholder: 'file',
      description: 'The documents, each in its own file.',
    },
    to: {
      type: 'string',
      placeholder: 'version',
      description: 'The target version, such as 2.0 (default: the newest).',
    },
    write: {
      type: 'boolean',
      description: 'Replace the files; otherwise only show the changes.',
    },
    output: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'file',
      description: 'Write the new text of one document to this new file instead.',
    },
    adr: {
      type: 'string',
      placeholder: 'id',
      description:
        'Make handoff documents of handoff notes, for this decision record, such as ADR-0.0.25.',
    },
    agent: {
      type: 'string',
      placeholder: 'name',
      description: 'Who wrote the notes that do not say so (default: your name); with --adr.',
    },
    expect: {
      type: 'string',
      placeholder: 'sha256',
      description: 'Replace the file only if it has this digest.',
    },
  },
} as const

const CATALOGUE: UpgradeCatalogue = { contracts, steps: upgrades, load: loadContract }

/** Upgrades documents to another version of their contract. */
export default defineOperation({
  name: 'upgrade',
  summary: 'Upgrade documents to another version of their contract',
  description:
    'Migrates version by version. The document must be valid before the first step and after each step; otherwise nothing ' +
    'is written. Shows what each step adds, moves and removes. Without --write no file changes. YAML keeps its comments, and ' +
    'Markdown changes only in the frontmatter. With --adr, a handoff note becomes a handoff document: its sections get the ' +
    'titles of one, and all of its text is kept. Exits with 1 when a document is refused.',
  examples: [
    { command: 'waybill upgrade contexts/in.json', does: 'show what would change' },
    { command: 'waybill upgrade contexts/*.json --write', does: 'replace the files' },
    {
      command: 'waybill upgrade old.json --to 1.1 --output new.json',
      does: 'write version 1.1 to a new file',
    },
    {
      command: 'waybill upgrade HANDOFF.md --adr ADR-0.1.0 --write',
      does: 'make a handoff document of a note',
    },
  ],
  actor: 'any',
  effect: 'write',
  rootOf: 'documents',
  input,
  run: (given, app) => upgradeWith(CATALOGUE, given, app),
  failed: ({ documents }) => documents.some(d => d.outcome === 'refused'),
})

/** Like `upgrade`, with the given contracts and migrations. */
export async function upgradeWith(
  catalogue: UpgradeCatalogue,
  given: TypeOf<typeof input>,
  app: App,
): Promise<UpgradeOutput> {
  mustFit(given)
  const config = await loadConfig(app.root)
  const target = given.to === undefined ? undefined : versionFrom(given.to)
  const documents: UpgradedDocument[] = []
  for (const source of await findSources({ paths: given.paths }, config, app)) {
    const document =
      given.adr === undefined
        ? await migrate(source, target, catalogue, app)
        : await promote(source, { adr: given.adr, agent: given.agent }, catalogue, app)
    // Unrecognised files of a folder are ignored.
    if (source.named || document.contract !== null) documents.push(document)
  }
  // One refusal stops all: a partly upgraded set is worse than an old one.
  const sound = documents.every(d => d.outcome !== 'refused')
  const { output, write, expect } = given
  const written: string[] = []
  return {
    documents: documents.map(document => {
      if (!sound || document.outcome !== 'upgradable') return document
      if (output !== undefined) return writeBeside(document, output, app)
      if (!write) return document
      const replaced = telling(written, () => replace(document, expect, app))
      written.push(document.path)
      return replaced
    }),
  }
}

/** Adds the names of the files already written to an error. */
function telling<T>(written: readonly string[], work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof WaybillError) || written.length === 0) throw cause
    const hint = `${listed(written)} ${written.length === 1 ? 'was' : 'were'} upgraded already; run the command again for the rest`
    throw new WaybillError(cause.code, cause.message, { hint, cause })
  }
}

function mustFit({ paths, output, write, expect, adr, agent, to }: TypeOf<typeof input>): void {
  const usage = (message: string, hint: string) => new WaybillError('usage', message, { hint })
  if (adr !== undefined) mustBeRecord(adr)
  if (adr === undefined && agent !== undefined)
    throw usage('--agent needs --adr', 'pass the decision record of the handoff document too')
  if (adr !== undefined && to !== undefined)
    throw usage('--adr and --to cannot be combined', 'pass only one')
  if (paths.includes('-'))
    throw usage('upgrade cannot read standard input', 'write it to a file first')
  if (output !== undefined && write)
    throw usage(
      '--output and --write cannot be combined',
      'name a new file, or replace the old one',
    )
  if (paths.length > 1 && (output ?? expect) !== undefined)
    throw usage('--output and --expect need exactly one file', 'name one file')
}

function versionFrom(text: string): string {
  const version = minorVersion(text)
  if (version !== undefined) return version
  throw new WaybillError('usage', `${quote(text)} is not a version`, { hint: 'for example 2.0' })
}

/** Replaces a file unless it changed since it was read. */
function replace(
  document: UpgradedDocument,
  expect: string | undefined,
  { root }: App,
): UpgradedDocument {
  const { path, sha256, text } = document
  if (expect !== undefined && expect.toLowerCase() !== sha256) {
    throw new WaybillError('conflict', `${path} does not have the digest ${quote(expect)}`, {
      hint: `nothing was written; its digest is ${sha256}`,
    })
  }
  swapAtomically(root, resolve(root, path), sha256 ?? '', text ?? '')
  return { ...document, outcome: 'written', output: path }
}

function writeBeside(document: UpgradedDocument, output: string, app: App): UpgradedDocument {
  refuseDash(output, '--output')
  const path = pathFromRoot(output, app)
  if (openFiles(app.root).kindOf(path) === 'outside') {
    throw new WaybillError('usage', `${output} is outside the repository`, {
      hint: 'name a file below its root',
    })
  }
  // A note is usually not in the folder that a handoff document belongs to.
  if (document.contract === 'handoff-note') makeFolders(posix.dirname(path), app.root)
  if (!createAtomically(resolve(app.root, path), document.text ?? '')) {
    throw new WaybillError('exists', `${path} exists already and was not overwritten`, {
      hint: 'name another file, or move it away',
    })
  }
  return { ...document, outcome: 'written', output: path }
}
