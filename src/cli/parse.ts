import {
  Argument,
  Command,
  CommanderError,
  InvalidArgumentError,
  Option,
  type OutputConfiguration,
} from 'commander'
import { nearest, withoutSecrets } from '../contract/index.ts'
import { GROUPS } from '../operations/groups.ts'
import type { App, InputProperty, Operation } from '../operations/operation.ts'
import type { Io } from './io.ts'
import { flagOf, formatsOf } from './plain.ts'

export { flagOf, formatsOf }

/** A verb: the texts of its help, and the operation and renderer that load when it runs. */
export interface CatalogueEntry {
  readonly name: string
  /** Created on first use, because a run needs one verb only. */
  readonly operation: Omit<Operation<never, never>, 'run' | 'failed' | 'parts' | 'forAgents'>
  load(): Promise<{ default: unknown }>
  render(): Promise<Renderer>
}

/** How a verb's results are shown. */
export interface Renderer {
  /** Formats beyond `text` and `json`. */
  readonly formats?: Readonly<Record<string, (output: never, app: App) => string | Promise<string>>>
  /** Runs instead of the operation for every format but JSON. */
  readonly forPeople?: (input: never, app: App) => Promise<unknown>
  /** Shows one part of a streamed result; without it, parts are printed as JSON. */
  readonly part?: ShowPart
  /** Creates the same for one run, where a part shows only what changed since the last one. */
  readonly live?: () => ShowPart
  text(output: never, style: Style, app: App, quiet: boolean): string
}

type ShowPart = (part: never, style: Style, quiet: boolean) => string

/** Marks up text for a terminal, or leaves it plain. */
export type Style = (
  kind: 'bold' | 'dim' | 'red' | 'yellow' | 'blue' | 'green' | 'cyan',
  text: string,
) => string

/** What the user asked for. */
export interface Request {
  readonly entry: CatalogueEntry
  readonly input: Record<string, unknown>
  readonly format: string
  readonly now: string | undefined
  readonly root: string | undefined
  readonly quiet: boolean
}

/** The shells that completions are written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Commands that are not operations, and the streams for help and usage errors. */
export interface Surfaces extends Pick<Io, 'stdout' | 'stderr'> {
  complete(shell: (typeof SHELLS)[number]): Promise<void>
  serve(options: { readonly root?: string; readonly now?: string }): Promise<void>
}

/** Builds the command line from the catalogue for the given words; `run` receives the parsed request. */
export function commandLine(
  catalogue: readonly CatalogueEntry[],
  argv: readonly string[],
  version: string,
  run: (request: Request) => Promise<void>,
  surfaces: Surfaces,
): Command {
  const output = outputTo(surfaces)
  const program = new Command('waybill')
    .description('Contract-first handoffs for AI agents and sessions')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [verb]', 'show help for a verb')
    .showSuggestionAfterError()
    .showHelpAfterError('(see waybill --help)')
    // Every flag belongs to the word that it stands behind.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(output)
    .configureHelp({ sortSubcommands: false })
    .addHelpText('after', GENERAL_HELP)
  for (const entry of catalogue) {
    const { name, summary } = entry.operation
    const words = name.split(' ')
    const last = words.at(-1) ?? name
    // Only a verb that is on the line needs its flags; making those of all costs a tenth of the start.
    const asked = words.every(word => argv.includes(word))
    const command = asked ? verb(entry, last, run, output) : new Command(last).summary(summary)
    const above = words.length > 1 ? group(program, words[0] ?? '') : program
    above.addCommand(command)
  }
  program
    .command('mcp')
    .summary('Serve these operations to agents as tools (Model Context Protocol)')
    .description(
      'Serves one repository over standard input and output until the client goes away. What a person states, and ' +
        'what executes programs, is not among the tools, and no tool reads or writes outside of the repository.',
    )
    .option(
      '--root <dir>',
      'the repository’s root (default: found upwards from the current folder)',
    )
    .option('--now <time>', 'take this ISO 8601 time for now, on every call')
    .addHelpText('after', '\nExample:\n  claude mcp add waybill -- waybill mcp')
    .action(surfaces.serve)
  program
    .command('completion')
    .summary('Print a script that completes verbs and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  eval "$(waybill completion bash)"')
    .action(surfaces.complete)
  return program
}

function outputTo({ stdout, stderr }: Surfaces): OutputConfiguration {
  return {
    writeOut: text => stdout.write(text),
    writeErr: text => stderr.write(text),
    // Many programs have a flag --json, which no spelling suggestion leads to.
    outputError: (text, write) =>
      write(withoutSecrets(text.replace(/(?<=^error: unknown option '--json')$/m, MEANT_JSON))),
    getOutHasColors: () => false,
  }
}

const MEANT_JSON = '\n(Did you mean --format json?)'

const GENERAL_HELP = `
Exit codes: 0 accepted or done; 1 the documents are at fault; 2 usage, configuration or files; 3 internal error.

Examples:
  waybill check                 check every document below this folder
  waybill explain handoff-document/no-placeholders
                                what a code means, with an example
  waybill show handoff.md       read one document`

/** The command that holds the verbs of a group: a verb of that name, else one that on its own shows them. */
function group(program: Command, name: string): Command {
  const known = program.commands.find(command => command.name() === name)
  // A word that is none of its verbs is refused by what runs, which knows them.
  if (known) return known.allowExcessArguments()
  return program
    .command(name)
    .summary(GROUPS[name] ?? name)
    .description(`${GROUPS[name] ?? name}.`)
    .showHelpAfterError(`(see waybill ${name} --help)`)
}

/** Where the root is looked for when none is given. */
const FOUND = {
  here: 'found upwards by .git or waybill.yaml',
  documents: 'found upwards by .git or waybill.yaml; from the documents where they lie elsewhere',
} as const

function verb(
  entry: CatalogueEntry,
  name: string,
  run: (request: Request) => Promise<void>,
  output: OutputConfiguration,
): Command {
  const { operation } = entry
  const command = new Command(name)
    .summary(operation.summary)
    .description(`${operation.summary}.\n\n${operation.description}`)
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError(`(see waybill ${operation.name} --help)`)
    // A verb may hold others, and what stands behind those is theirs.
    .enablePositionalOptions()
  const { properties, required = [] } = operation.input
  for (const [name, property] of Object.entries(properties)) {
    if (property.positional) command.addArgument(argument(name, property, required.includes(name)))
    else command.addOption(option(name, property, required.includes(name)))
  }
  const formats = [...formatsOf(operation.name)]
  command
    .addOption(
      new Option('--format <format>', 'how to show the result').choices(formats).default('text'),
    )
    .option('--now <time>', 'take this ISO 8601 time for now')
    .option('--root <dir>', `the repository’s root (default: ${FOUND[operation.rootOf ?? 'here']})`)
    .option('-q, --quiet', 'say less: only what is wrong')
    .addHelpText('after', examples(entry))
    .action(async () => {
      mustStandBehind(command)
      mustBeAlone(command)
      const { format, now, root, quiet, ...options } = command.opts()
      const input = { ...options, ...positionals(command, operation.input.properties) }
      await run({ entry, input, format, now, root, quiet: quiet ?? false })
    })
  return command
}

/** Refuses a flag before the last word: it would belong to the group, which does not run. */
function mustStandBehind(command: Command): void {
  const above = command.parent
  const early = above?.options.find(
    given => above.getOptionValueSource(given.attributeName()) === 'cli',
  )
  if (early) command.error(`error: write ${early.long} behind '${command.name()}', not before it`)
}

/** Refuses an extra word after a verb that is also a group: it is a misspelled verb, or a text without quotes. */
function mustBeAlone(command: Command): void {
  const places = command.registeredArguments.length
  const word = command.args[places]
  if (word === undefined || command.commands.length === 0) return
  if (places > 0) command.error(`error: unexpected word '${word}'; put a text in quotes`)
  const meant = nearest(
    word,
    command.commands.map(one => one.name()),
  )
  command.error(`error: unknown command '${word}'${meant ? `\n(Did you mean ${meant}?)` : ''}`)
}

function argument(name: string, property: InputProperty, required: boolean): Argument {
  const many = property.type === 'array' ? '...' : ''
  const label = `${property.placeholder ?? name}${many}`
  const made = new Argument(required ? `<${label}>` : `[${label}]`, property.description)
  return property.enum ? made.choices([...property.enum]) : made
}

function option(name: string, property: InputProperty, required: boolean): Option {
  const flag = flagOf(name)
  const value = property.placeholder ?? 'value'
  const { type } = property
  const shape =
    type === 'boolean'
      ? ''
      : Array.isArray(type)
        ? ` [${value}]`
        : type === 'array'
          ? ` <${value}...>`
          : ` <${value}>`
  const said = `${lower(property.description)}${required ? ' (required)' : ''}`
  const made = new Option(`${flag}${shape}`, said).makeOptionMandatory(required)
  if (type === 'integer') made.argParser(wholeNumber)
  if (type === 'string') made.argParser(once)
  return property.enum ? made.choices([...property.enum]) : made
}

/** Refuses a second text for a flag that takes one: the first would be lost. */
function once(word: string, before: unknown): string {
  if (before === undefined) return word
  throw new InvalidArgumentError('It is given twice; give it once.')
}

/** Accepts decimal digits only: `Number` would also accept an empty text, exponents and other bases. */
function wholeNumber(word: string): number {
  return /^-?[0-9]+$/.test(word) ? Number(word) : Number.NaN
}

function positionals(
  command: Command,
  properties: Readonly<Record<string, InputProperty>>,
): Record<string, unknown> {
  const names = Object.entries(properties)
    .filter(([, p]) => p.positional)
    .map(([name]) => name)
  const given = names.map((name, i) => [name, command.processedArgs[i]] as const)
  return Object.fromEntries(
    given.filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

function examples({ operation }: CatalogueEntry): string {
  const width = Math.max(...operation.examples.map(e => e.command.length))
  return `\nExamples:\n${operation.examples.map(e => `  ${e.command.padEnd(width)}  ${e.does}`).join('\n')}`
}

function lower(sentence: string): string {
  return sentence.replace(/^[A-Z](?![A-Z])/, c => c.toLowerCase()).replace(/\.$/, '')
}

/** The exit code if the parser threw to end after help or a usage error; otherwise undefined. */
export function parsingEnd(error: unknown): number | undefined {
  if (!(error instanceof CommanderError)) return undefined
  return error.exitCode === 0 ? 0 : 2
}
