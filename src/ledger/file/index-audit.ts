import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Stretch } from './facts.ts'
import { cannotRead, isMissing } from './fault.ts'
import type { FileFinding } from './finding.ts'
import { coverOf, stretchesIn } from './key-index.ts'
import type { RecordSets } from './key-run.ts'
import { RunAudit } from './key-run-audit.ts'
import { placesIn } from './paths.ts'

/** The records of the keys in a range of entries. */
export interface KeyedStretch extends Stretch {
  /** Absent if an entry is unreadable, so that the expected index is unknown. */
  readonly sets: RecordSets | undefined
}

/** An index file being compared. */
interface Open {
  readonly stretch: Stretch
  readonly file: string
  audit?: RunAudit | undefined
}

/** Compares the index of keys of a log with the keys of its entries, given range by range in log order. */
export class IndexAudit {
  readonly #folder: string
  readonly #runs: readonly Open[]
  readonly #findings: FileFinding[] = []

  constructor(folder: string, size: number) {
    const { keys } = placesIn(folder)
    this.#folder = folder
    const stretches = stretchesIn(keys)
    const { gaps } = coverOf(stretches, size, size)
    for (const { from, to } of gaps)
      this.#say(
        'ledger/index-missing',
        keys,
        `no file has the keys of the entries ${from} to ${to - 1}`,
      )
    for (const name of strayIn(keys))
      this.#say('ledger/stray-file', join(keys, name), 'it is not part of the index')
    const open = stretches.map(stretch => ({
      stretch,
      file: join(keys, `${stretch.from}-${stretch.to}`),
    }))
    this.#runs = open.filter(({ stretch }) => stretch.from < stretch.to && stretch.to <= size)
    for (const { stretch, file } of open) {
      if (stretch.from >= stretch.to)
        this.#say('ledger/stray-file', file, 'it is not part of the index')
      else if (stretch.to > size)
        this.#say('ledger/unpublished', file, 'no checkpoint covers it yet', stretch.to)
    }
  }

  /** Where the next range must end, because an index file starts or ends there. */
  get edges(): readonly number[] {
    return this.#runs.flatMap(({ stretch }) => [stretch.from, stretch.to])
  }

  /** Compares the next range. */
  add(next: KeyedStretch): void {
    for (const run of this.#runs)
      if (run.stretch.from <= next.from && run.stretch.to >= next.to) this.#compare(run, next)
  }

  #compare(run: Open, { from, to, sets }: KeyedStretch): void {
    const { stretch, file } = run
    if (stretch.from === from) run.audit = RunAudit.open(file, stretch.from, stretch.to)
    if (!sets) end(run)
    else for (const set of [0, 1] as const) run.audit?.add(set, sets[set])
    if (stretch.to !== to) return
    if (run.audit?.isSame() === false)
      this.#say('ledger/index-differs', file, 'it differs from the keys of the entries')
    end(run)
  }

  /** Closes the files. */
  close(): void {
    for (const run of this.#runs) end(run)
  }

  /** The findings; complete after the last range. */
  get findings(): readonly FileFinding[] {
    return this.#findings
  }

  #say(found: FileFinding['found'], file: string, detail: string, upTo?: number): void {
    const finding = { found, file: relative(this.#folder, file), detail }
    this.#findings.push(upTo === undefined ? finding : { ...finding, upTo })
  }
}

function end(run: Open): void {
  run.audit?.close()
  run.audit = undefined
}

function strayIn(keys: string): string[] {
  try {
    return readdirSync(keys).filter(name => !/^(?:0|[1-9][0-9]{0,15})-[1-9][0-9]{0,15}$/.test(name))
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cannotRead(keys, cause)
  }
}
