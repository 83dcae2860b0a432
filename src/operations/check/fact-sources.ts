import type { Contract, Facts, Files } from '../../contract/index.ts'
import type { Config, GitListing } from '../../workspace/index.ts'
import type { Source } from './source.ts'

/** The document to gather facts for. */
export interface Subject {
  readonly source: Source
  readonly contract: Contract
  readonly value: unknown
}

/** Sources of facts: the repository and the caller. */
export interface FactSources {
  readonly root: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly config: Config
  readonly files: Files
  /** Supplied by the caller, such as `session` or `previous`. */
  readonly given: Facts
  /** Lookups shared by several documents. */
  readonly memory: Map<string, unknown>
  /** What Git listed so far. */
  readonly listings: GitListing[]
}

/** Computes a value once per key; concurrent callers share the promise. */
export function remember<T>(sources: FactSources, key: string, make: () => T): T {
  if (!sources.memory.has(key)) sources.memory.set(key, make())
  return sources.memory.get(key) as T
}
