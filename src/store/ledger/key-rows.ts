import type { ClientBase } from 'pg'
import type { KeyRow } from '../../ledger/index.ts'
import { KEYS_CURSOR, KEYS_NEXT } from './statements.ts'

/** Reads the keys of all entries in log order, in a caller's transaction. */
export class KeyRows {
  readonly #client: Pick<ClientBase, 'query'>
  #rows: readonly KeyRow[] = []
  #at = 0
  #isOpen = false
  #isOver = false

  constructor(client: Pick<ClientBase, 'query'>) {
    this.#client = client
  }

  /** Returns the unread keys before an entry. */
  async upTo(end: number): Promise<readonly KeyRow[]> {
    const found: KeyRow[] = []
    for (;;) {
      const row = this.#rows[this.#at]
      if (row && row.index >= end) return found
      if (row) {
        found.push(row)
        this.#at++
      } else if (!(await this.#next())) return found
    }
  }

  async #next(): Promise<boolean> {
    if (this.#isOver) return false
    if (!this.#isOpen) await this.#client.query(KEYS_CURSOR)
    this.#isOpen = true
    const { rows } = await this.#client.query(KEYS_NEXT)
    this.#rows = rows.map(({ key, index, is_unique: isUnique }) => ({
      key,
      index: Number(index),
      isUnique,
    }))
    this.#at = 0
    this.#isOver = rows.length === 0
    return !this.#isOver
  }
}
