import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Gateway, openGateway } from '../src/governance/index.ts'
import { init } from '../src/operations/index.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { openTestFolder, type TestFolder } from './test-folder.ts'

/** A repository with keys and a log, for the time of a test. */
export interface LedgerFolder extends TestFolder {
  /** Where the log stands. */
  readonly ledger: string
  /** Works with the gateway of the repository, and closes it. */
  withGateway<T>(work: (gateway: Gateway) => Promise<T>): Promise<T>
  /** The files of the log, by their paths in it. */
  files(): string[]
  read(file: string): Buffer
  /** A file of the repository. */
  text(path: string): string
  /** Puts a copy of the log elsewhere. */
  copy(to: string): void
}

/** Takes so many small entries into a log, numbered from `first`. */
export const recordMany = (folder: LedgerFolder, count: number, first = 0) =>
  folder.withGateway(gateway =>
    Promise.all(Array.from({ length: count }, (_, at) => recordSmall(gateway, first + at))),
  )

/** Makes a repository whose gateway has keys. */
export async function openLedgerFolder(): Promise<LedgerFolder> {
  const folder = openTestFolder()
  const app = (more = {}) => folder.app({ now: Date.now(), clock: Date.now, ...more })
  await init.run({}, app())
  const ledger = join(folder.root, '.waybill/ledger')
  return {
    ...folder,
    app,
    ledger,
    withGateway: async work => {
      const gateway = await openGateway(folder.root, await loadConfig(folder.root), {
        now: Date.now,
      })
      return await work(gateway).finally(() => gateway.close())
    },
    files: () =>
      readdirSync(ledger, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name).slice(ledger.length + 1))
        .sort(),
    read: file => readFileSync(join(ledger, file)),
    text: path => readFileSync(join(folder.root, path), 'utf8'),
    copy: to => cpSync(ledger, to, { recursive: true }),
  }
}

/** Records a small entry of its own; gives its receipt. */
export async function recordSmall(gateway: Gateway, number: number) {
  const receipt = await gateway.record('key-change', {
    subject: [{ name: 'a key', digest: { sha256: 'ab'.repeat(32) } }],
    ids: { session: `s-${number}` },
    says: { change: 'created', holder: { kind: 'agent', name: 'a' }, keyid: String(number) },
  })
  if ('taken' in receipt) throw new Error('a small entry has no unique key')
  return receipt
}
