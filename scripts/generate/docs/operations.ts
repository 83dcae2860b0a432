import type { Argument, Command, Option } from 'commander'
import { commandLine } from '../../../src/cli/parse.ts'
import { version } from '../../../src/cli/version.ts'
import { actionOf, SHARED, toolOf } from '../../../src/mcp/shared-tools.ts'
import {
  fileNameOf,
  type InputProperty,
  type Operation,
} from '../../../src/operations/operation.ts'
import { VARIABLES } from './environment.ts'
import { code, GENERATED, page, prose, table } from './markdown.ts'

type AnyOperation = Operation<never, unknown>

/** Writes the page of the command line from the program's parser. */
export function commandLinePage(operations: readonly AnyOperation[]): string {
  const unloaded = { load: unused, render: unused }
  const entries = operations.map(one => ({ name: one.name, operation: one, ...unloaded }))
  // Commands register their flags only if they are on the line, so name all of them.
  const line = operations.flatMap(({ name }) => name.split(' '))
  const surfaces = { complete: unused, serve: unused, stdout: SILENT, stderr: SILENT }
  const program = commandLine(entries, line, version, unused, surfaces)
  const isVerb = (command: Command) => operations.some(({ name }) => name === command.name())
  const commands = program.commands.flatMap(command =>
    // A word can be a command and a group.
    command.commands.length > 0
      ? [...(isVerb(command) ? [command] : []), ...command.commands]
      : [command],
  )
  return page(
    GENERATED,
    '# Command line',
    'Machine output goes to standard output; progress and errors go to standard error.',
    table(
      ['Command', 'Description'],
      commands.map(command => [
        `[${code(nameOf(command))}](#waybill-${fileNameOf(nameOf(command))})`,
        prose(command.summary()),
      ]),
    ),
    ...commands.map(command =>
      verb(
        command,
        operations.find(({ name }) => name === nameOf(command)),
      ),
    ),
    END,
  )
}

/** The words of a command after the program name, with its group. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name()
}

/** Nothing is run while the page is written. */
const SILENT = { write: () => {} }

function unused(): Promise<never> {
  return Promise.reject(new Error('the parser must not run operations'))
}

const END = `## Exit codes

| Code | Meaning |
| --- | --- |
| 0 | accepted, or done |
| 1 | the documents are at fault: rejected, unreadable, or not approved |
| 2 | usage, configuration, a path that does not exist, or files that cannot be read or written |
| 3 | an internal error of Waybill |
| 130, 143 | interrupted, by Ctrl-C or by SIGTERM |
| 141 | the reader of the output closed it before the exit code was known |

## Environment

${table(['Variable', 'Meaning'], VARIABLES)}

Without \`NO_COLOR\` and \`FORCE_COLOR\`, output is coloured only on a terminal.`

/** Commands without an operation exist only in the CLI, such as completion. */
function verb(command: Command, operation: AnyOperation | undefined): string {
  const name = nameOf(command)
  const parts = [
    `## waybill ${name}`,
    `${prose(command.summary())}. ${prose(operation?.description ?? '')}`.trim(),
    `\`\`\`text\nwaybill ${name} ${command.usage()}\n\`\`\``,
  ]
  const { registeredArguments: given, options } = command
  if (given.length > 0) parts.push(table(['Argument', 'Meaning'], given.map(argumentRow)))
  if (options.length > 0) parts.push(table(['Option', 'Meaning'], options.map(optionRow)))
  if (operation) parts.push(examples(operation))
  return parts.join('\n\n')
}

function examples({ examples: shown }: AnyOperation): string {
  const width = Math.max(...shown.map(e => e.command.length))
  const lines = shown.map(e => `${e.command.padEnd(width)}  # ${e.does}`)
  return `\`\`\`sh\n${lines.join('\n')}\n\`\`\``
}

function argumentRow(argument: Argument): string[] {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  const choices = argument.argChoices ? `: ${argument.argChoices.map(code).join(', ')}` : ''
  return [
    code(argument.required ? `<${name}>` : `[${name}]`),
    `${prose(argument.description)}${choices}`,
  ]
}

function optionRow({ flags, description, argChoices, defaultValue }: Option): string[] {
  const choices = argChoices ? `: ${argChoices.map(code).join(', ')}` : ''
  const standard = defaultValue === undefined ? '' : ` (default: ${code(String(defaultValue))})`
  return [code(flags), `${prose(description)}${choices}${standard}`]
}

/** Writes the page of the operations. */
export function operationsPage(operations: readonly AnyOperation[]): string {
  return page(
    GENERATED,
    '# Operations',
    'Every feature is one operation, and every interface is derived from it. `actor: human` and ' +
      '`effect: execute` are never available to agents; those that write or execute are refused to the agent of a task, except dry runs. The others are tools of `waybill mcp`, at most twelve: operations that ' +
      'share a tool are its actions.',
    table(
      ['Operation', 'Actor', 'Effect', 'Tool', 'Description'],
      operations.map(operation => [
        `[${code(operation.name)}](#${fileNameOf(operation.name)})`,
        operation.actor,
        operation.effect,
        toolCell(operation),
        prose(operation.summary),
      ]),
    ),
    ...operations.map(inputs),
  )
}

/** The tool of an operation, and its action. */
function toolCell({ name, actor, effect }: AnyOperation): string {
  if (actor === 'human' || effect === 'execute') return ''
  const tool = toolOf(name)
  return tool === name && !Object.hasOwn(SHARED, tool)
    ? code(tool)
    : `${code(tool)} ${code(actionOf(name, tool))}`
}

function inputs({ name, input }: AnyOperation): string {
  const rows = Object.entries(input.properties).map(([key, property]) => [
    code(key),
    typeOf(property),
    input.required?.includes(key) ? 'yes' : '',
    prose(property.description),
  ])
  const given =
    rows.length === 0 ? 'No inputs.' : table(['Input', 'Type', 'Required', 'Meaning'], rows)
  return `## ${name}\n\n${given}`
}

function typeOf({ type, items, enum: values }: InputProperty): string {
  if (values) return values.map(code).join(', ')
  if (items) return `list of ${items.type}s`
  return [type].flat().join(' or ')
}
