import type { Contract, Facts, Files } from '../../contract/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { Source } from './source.ts'

/** The document that facts are wanted for. */
export interface Subject {
  readonly source: Source
  readonly contract: Contract
  readonly value: unknown
}

/** Where facts come from: the repository, and what the caller supplied. */
export interface FactSources {
  readonly root: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly config: Config
  readonly files: Files
  /** Supplied by the caller, such as `session` or `previous`. */
  readonly given: Facts
  /** What was looked up once for several documents. */
  readonly memory: Map<string, unknown>
}

/** Looks something up once per key; the first caller's promise serves all. */
export function remember<T>(sources: FactSources, key: string, make: () => T): T {
  if (!sources.memory.has(key)) sources.memory.set(key, make())
  return sources.memory.get(key) as T
}
