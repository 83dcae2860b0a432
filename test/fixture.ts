import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { load } from 'js-yaml'
import {
  as,
  checkDocument,
  type Facts,
  type LoadedContract,
  type Result,
} from '../src/contract/index.ts'
import {
  type Document,
  decode,
  formatOf,
  parseInstant,
  readDocuments,
} from '../src/document/index.ts'
import { openFiles } from '../src/workspace/index.ts'

/** The folder of a contract. */
export const folderOf = (id: string) => join(import.meta.dirname, '../src/contracts', id)

/** One fixture of a contract: a document that must pass or fail, with the facts it is checked with. */
export interface Fixture {
  readonly file: string
  readonly name: string
  readonly kind: 'valid' | 'invalid'
}

/** Every fixture of a contract, without golden outputs and facts. */
export function fixturesOf(id: string): Fixture[] {
  return (['valid', 'invalid'] as const).flatMap(kind => {
    const folder = join(folderOf(id), 'fixtures', kind)
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter(name => !name.endsWith('.out') && !name.endsWith('.facts.yaml'))
      .sort()
      .map(name => ({ file: join(folder, name), name: basename(name, extname(name)), kind }))
  })
}

/** The first document of a fixture, read as the product reads it. */
export async function readFixture(fixture: Fixture): Promise<Document> {
  const { text, faults } = decode(readFileSync(fixture.file))
  const { documents } = await readDocuments(text, formatOf(fixture.file, text), faults)
  const [document] = documents
  if (!document) throw new Error(`${fixture.file} holds no document`)
  return document
}

/** Checks a fixture with its facts; files among them are really written to a folder for the time of the check. */
export async function checkFixture(
  fixture: Fixture,
  loaded: LoadedContract,
): Promise<{ document: Document; result: Result }> {
  const { now, path, files, ...given } = factsOf(fixture)
  const document = await readFixture(fixture)
  const root = mkdtempSync(join(tmpdir(), 'waybill-fixture-'))
  try {
    const facts: Record<string, Facts[string]> = {}
    if (files) {
      for (const [file, text] of Object.entries(files as Record<string, string>)) {
        mkdirSync(dirname(join(root, file)), { recursive: true })
        writeFileSync(join(root, file), text)
      }
      facts.files = { value: openFiles(root) }
    }
    for (const [name, value] of Object.entries(given)) if (value !== null) facts[name] = { value }
    const result = checkDocument(document, as(loaded.contract, document.value), loaded, {
      now: parseInstant(String(now ?? '2026-06-01T12:00:00Z')) ?? Number.NaN,
      path: String(path ?? basename(fixture.file)),
      facts,
    })
    return { document, result }
  } finally {
    rmSync(root, { recursive: true })
  }
}

function factsOf(fixture: Fixture): Record<string, unknown> {
  const own = fixture.file.slice(0, -extname(fixture.file).length)
  return {
    ...readYaml(join(dirname(fixture.file), '../facts.yaml')),
    ...readYaml(`${own}.facts.yaml`),
  }
}

function readYaml(file: string): Record<string, unknown> {
  return existsSync(file) ? (load(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}
}

/** A result as golden outputs show it, a line for each diagnostic. */
export function golden(result: Result): string {
  const lines = result.diagnostics.map(
    d =>
      `${d.range.start.line + 1}:${d.range.start.character + 1} ${d.severity} ${d.code} ${d.message}`,
  )
  const suppressed = result.suppressed.map(s => `${s.line}: suppressed ${s.code} ${s.reason}`)
  return `${[...lines, ...suppressed].join('\n')}\n`
}
