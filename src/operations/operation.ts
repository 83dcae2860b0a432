import type { ErrorCode } from '../error.ts'
import { mustFit } from './operation/input.ts'

/** A JSON Schema object whose properties are an operation's inputs; surfaces derive flags, tools and routes from it. */
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
  /** Given on a command line by position instead of by flag. */
  readonly positional?: true
  /** What stands for the value in help texts. */
  readonly placeholder?: string
  /** A path in the repository; `true` for lists of paths too. Agents may not leave the root with one. */
  readonly path?: true
  /** Something new is made at this path, or in it: never in the folders that Git and Waybill keep for themselves. */
  readonly makes?: true
  /** What a person states or has executed with it: never derived for agents, even where the operation is. */
  readonly actor?: 'human'
  /** With it, a file is written even where the operation only reads. */
  readonly writes?: true
}

/** What the surrounding program gives to every operation. */
export interface App {
  /** Milliseconds since the epoch; an input, so that results can be reproduced. */
  readonly now: number
  /** The clock itself, for what is recorded; absent where the time was given by hand. */
  clock?(): number
  /** The repository's root, absolute. */
  readonly root: string
  /** Where relative paths start, absolute. */
  readonly cwd: string
  readonly version: string
  /** Reads all of standard input; of what has more bytes than a document may have, or than `most`, not the rest. */
  stdin(most?: number): Promise<Uint8Array>
  /** The program that another core runs, to check documents unless said otherwise; absent where there is none. */
  worker?(work?: 'check' | 'audit' | 'ledger' | 'policy' | 'database'): URL
  /** Told of progress on long work, of which files are the pieces unless said otherwise. */
  progress?(done: number, total: number, what?: string): void
  /** Asks the person at the terminal; absent where nobody could answer. */
  ask?(question: string): Promise<string>
  /** Tells the person at the terminal something before the work ends, such as what is about to be executed. */
  tell?(line: string): void
  /** The few variables that a command may know which somebody has executed; absent where none may be. */
  readonly environment?: Readonly<Record<string, string>>
  /** A variable of the environment by its name, for what waybill.yaml names; absent where none may be read. */
  variable?(name: string): string | undefined
  /** The address of the database that missions use, with a password perhaps; an embedded one where it is absent. */
  readonly databaseUrl?: string
  /** A folder of the user's, outside of every repository, that remembers the last checkpoint of each log; absent where there is none. */
  readonly stateHome?: string
  /**
   * Hears that an entry is made from here on: who is asked to end answers it first, for what is recorded counts, and
   * nobody else has its receipt.
   */
  recording?(): void
  /** Ends long work early. */
  readonly signal?: AbortSignal
}

/** One thing the product can do; every surface is derived from this declaration. */
export interface Operation<I, O> {
  /** The verb, or group and verb: `check`, `state next`. */
  readonly name: string
  readonly summary: string
  /** Paragraphs of help beyond the summary. */
  readonly description: string
  readonly examples: readonly { readonly command: string; readonly does: string }[]
  /** `human` operations are never derived for agents; one that writes is refused to the agent of a task. */
  readonly actor: 'any' | 'human'
  readonly effect: 'read' | 'write' | 'execute'
  /**
   * Whose repository it works in, unless a root is given: that of the current folder alone, or else that in which the
   * documents stand that it is given, where one lies outside of the first. Whatever answers for an installation takes
   * its own: documents come from anybody.
   */
  readonly rootOf?: 'documents'
  readonly input: InputSchema
  run(input: I, app: App): Promise<O>
  /** The result part by part, as it comes, where it never ends or is too large to be held; else nothing, and it is run. */
  parts?(input: I, app: App, format: string): AsyncIterable<unknown> | undefined
  /** The same of the last part, where the result came part by part. */
  failedPart?(part: unknown): boolean
  /** Whether the documents were at fault (exit code 1), or the error that the result amounts to. */
  failed?(output: O): boolean | ErrorCode
}

/**
 * The TypeScript type of a JSON Schema that is written as a constant: of what an operation takes, and what it answers.
 *
 * It reads the words that those schemas use, and any other part as unknown. It is written here, since the published
 * types may need no other package.
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

/** Shown by editors as one object instead of two. */
type Flat<T> = { [Key in keyof T]: T[Key] }

/** The name of an operation as files and schemas carry it. */
export function fileNameOf(name: string): string {
  return name.replaceAll(' ', '-')
}

/** Declares an operation; the input's type follows from its schema, and one of another type is refused as it is run. */
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
