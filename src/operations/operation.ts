import type { ErrorCode } from '../error.ts'
import { mustFit } from './operation/input.ts'

/** A JSON Schema object with the inputs of an operation; flags, tools and routes are derived from it. */
export interface InputSchema {
  readonly type: 'object'
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, InputProperty>>
}

/** One input of an operation. */
export interface InputProperty {
  readonly type: 'string' | 'boolean' | 'integer' | 'array' | readonly ['string', 'boolean']
  readonly items?: { readonly type: 'string' }
  readonly enum?: readonly string[]
  readonly description: string
  /** Passed by position on a command line instead of by flag. */
  readonly positional?: true
  /** The name of the value in help texts. */
  readonly placeholder?: string
  /** A path in the repository, or a list of paths. Agents cannot leave the root with it. */
  readonly path?: true
  /** A path where something is created: never inside the folders of Git and Waybill. */
  readonly makes?: true
  /** Takes `-` for standard input; agents pass the text itself in the input `content`. */
  readonly inline?: true
  /** Only for people: never exposed to agents, even when the operation is. */
  readonly actor?: 'human'
  /** Writes a file even when the operation only reads. */
  readonly writes?: true
}

/** What the host program provides to every operation. */
export interface App {
  /** The time in milliseconds since the epoch; an input so that results are reproducible. */
  readonly now: number
  /** The current time for records, in milliseconds since the epoch; absent when the time was set by hand. */
  clock?(): number
  /** The absolute path of the repository root. */
  readonly root: string
  /** The absolute path that relative paths start from. */
  readonly cwd: string
  readonly version: string
  /** Reads standard input, up to `most` bytes or the document limit. */
  stdin(most?: number): Promise<Uint8Array>
  /** The script for a worker thread, by default the one that checks documents; absent where there is none. */
  worker?(work?: 'check' | 'audit' | 'ledger' | 'policy' | 'database'): URL
  /** Reports progress on long work, in files unless `what` says otherwise. */
  progress?(done: number, total: number, what?: string): void
  /** Asks the user at the terminal; absent without one. */
  ask?(question: string): Promise<string>
  /** Prints a line to the user before the work ends. */
  tell?(line: string): void
  /** The environment variables that executed commands may see; absent where nothing may be executed. */
  readonly environment?: Readonly<Record<string, string>>
  /** Reads an environment variable that waybill.yaml names; absent where none may be read. */
  variable?(name: string): string | undefined
  /** The address of the mission database, possibly with a password; absent for the embedded one. */
  readonly databaseUrl?: string
  /** Lookups shared by the operations of one call, such as the history of a branch. */
  readonly memory?: Map<string, unknown>
  /** The user's folder that stores the last checkpoint of each log, outside of every repository; absent without one. */
  readonly stateHome?: string
  /**
   * Called before a log entry is written: a signal to stop must wait until the receipt is returned, since the entry
   * counts and nothing else has its receipt.
   */
  recording?(): void
  /** Cancels long work. */
  readonly signal?: AbortSignal
}

/** One operation of the product; the CLI, MCP and HTTP surfaces are derived from it. */
export interface Operation<I, O> {
  /** The verb, or group and verb: `check`, `state next`. */
  readonly name: string
  readonly summary: string
  /** Help paragraphs after the summary. */
  readonly description: string
  readonly examples: readonly { readonly command: string; readonly does: string }[]
  /** `human` operations are never exposed to agents; a task's agent may not run one that writes. */
  readonly actor: 'any' | 'human'
  readonly effect: 'read' | 'write' | 'execute'
  /**
   * Which repository it works in without --root: by default that of the current folder; with `documents`, that of the
   * given documents when one is outside of it. Operations that act for an installation use their own, since documents
   * are untrusted.
   */
  readonly rootOf?: 'documents'
  readonly input: InputSchema
  run(input: I, app: App): Promise<O>
  /** Streams a result that is endless or too large to hold; `undefined` to call `run` instead. */
  parts?(input: I, app: App, format: string): AsyncIterable<unknown> | undefined
  /** Like `failed`, for the last streamed part. */
  failedPart?(part: unknown): boolean
  /** What an agent gets of the output, by the same schema: shorter, or without what would mislead a program. */
  forAgents?(output: O, input: I): unknown
  /** Whether the exit code is 1, or the error code that the result amounts to. */
  failed?(output: O): boolean | ErrorCode
}

/**
 * The TypeScript type of a constant JSON Schema, for inputs and outputs.
 *
 * It covers the keywords that those schemas use; anything else is unknown. It has no dependency because the published
 * types contain it.
 */
export type TypeOf<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Branch)[] }
      ? TypeOf<Branch>
      : S extends { readonly items: infer Entry }
        ? readonly TypeOf<Entry>[]
        : S extends { readonly properties: infer Parts }
          ? ObjectOf<Parts, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
          : S extends { readonly type: infer Name | readonly (infer Name)[] }
            ? Primitives[Name & keyof Primitives]
            : unknown

interface Primitives {
  readonly string: string
  readonly boolean: boolean
  readonly integer: number
  readonly number: number
  readonly null: null
}

type ObjectOf<Parts, Required> = Flat<
  { readonly [Name in keyof Parts as Name & Required]: TypeOf<Parts[Name]> } & {
    readonly [Name in keyof Parts as Exclude<Name, Required>]?: TypeOf<Parts[Name]>
  }
>

/** Makes editors show one object instead of an intersection. */
type Flat<T> = { [Key in keyof T]: T[Key] }

/** Returns the name of an operation in file names and schemas. */
export function fileNameOf(name: string): string {
  return name.replaceAll(' ', '-')
}

/** Declares an operation; its input type follows from the schema and is checked at run time. */
export function defineOperation<const S extends InputSchema, O>(
  operation: Omit<Operation<TypeOf<S>, O>, 'input'> & { readonly input: S },
): Operation<TypeOf<S>, O> & { readonly input: S } {
  const { parts } = operation
  return {
    ...operation,
    run: async (input, app) => {
      mustFit(operation, input, app)
      return operation.run(input, app)
    },
    ...(parts && {
      parts: (input, app, format) => {
        mustFit(operation, input, app)
        return parts(input, app, format)
      },
    }),
  }
}
