import type { Drift } from '../../contracts/index.ts'

/** One thing that is known of a document, as a line. */
export interface Line {
  readonly label: string
  readonly value: string
}

/** One entry of a list. */
export interface Item {
  readonly id?: string
  /** Severity, category, status: single words that stand beside the id. */
  readonly marks?: readonly string[]
  readonly text: string
  readonly details?: readonly Line[]
  /** How far it is set in; 0 when absent. */
  readonly depth?: number
}

/** Rows of equal length under their columns. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A part of a document in reading order: a list, a text or a table. */
export interface Section {
  readonly title: string
  readonly items?: readonly Item[]
  readonly text?: string
  readonly table?: Table
}

/** What a family of contracts makes of a document. */
export interface Body {
  readonly facts: readonly Line[]
  readonly sections: readonly Section[]
}

/** What is known beside the document. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What happened on the branch of a handoff document since it was written. */
  readonly drift?: Drift
  /** The structure of the document is sound, so that what is computed from it means something. */
  readonly sound: boolean
}

/** Makes a document readable; whatever is there is shown, however broken the rest is. */
export type Describe = (value: unknown, around: Surroundings) => Body
