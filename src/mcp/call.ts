import type { CallToolResult } from '@modelcontextprotocol/server'
import { isInside } from '../app.ts'
import { withoutSecrets } from '../contract/index.ts'
import { type ErrorCode, WaybillError } from '../error.ts'
import type { App, Operation } from '../operations/operation.ts'
import { faultInArguments } from './arguments.ts'
import { catalogue } from './catalogue.generated.ts'
import type { Pages } from './pages.ts'
import { refusalIn, summaryOf } from './summary.ts'
import { inputOf, propertiesOf, readCall, type Tool, type ToolEntry } from './tools.ts'
import type { Words } from './words.ts'

/** What the calls of one connection share. */
export interface Calls {
  readonly words: Words
  readonly pages: Pages
  /** Why documents are neither searched nor written where the server runs. */
  whyNoRepository(): string | undefined
}

type Given = Readonly<Record<string, unknown>>
type Output = Readonly<Record<string, unknown>>

/** Most characters of a path. */
const LONGEST_PATH = 4096

/** Runs the operation of a call and answers with its data and a text, or with what was wrong and what to do. */
export async function call(
  tool: Tool,
  { cursor, ...given }: Given,
  app: App,
  calls: Calls,
): Promise<CallToolResult> {
  const { words, pages } = calls
  try {
    if (cursor !== undefined) return paged(String(cursor), pages)
    const found = readCall(tool, given)
    if (!found) throw new WaybillError('usage', `${tool.name} has no such action`)
    const { entry } = found
    // The shared schema of a tool allows more than this operation does.
    const fault = faultInArguments(inputOf(entry), found.input)
    if (fault !== undefined) throw new WaybillError('usage', `${entry.operation.name}: ${fault}`)
    mustHaveRepository(entry, calls)
    const { input, text } = withContent(entry, found.input)
    mustStayInside(entry, input, app)
    const operation = (await entry.load()).default as Operation<never, Output>
    const output = await operation.run(
      input as never,
      text === undefined ? app : reading(text, app),
    )
    const failed = operation.failed?.(output) ?? false
    const answer = inWords(operation.forAgents?.(output as never, input as never) ?? output, words)
    return failed && isRefusal(failed, operation, output)
      ? refused(answer, pages)
      : answered(answer, pages)
  } catch (error) {
    const ended = new WaybillError('interrupted', 'the call was cancelled')
    return errorOf(app.signal?.aborted ? ended : error, given.content, words)
  }
}

/** What an operation without further input answers, for a resource. */
export async function read(name: string, input: Given, app: App, calls: Calls): Promise<Output> {
  const entry = catalogue.find(({ operation }) => operation.name === name)
  if (!entry) throw new Error(`there is no operation ${name}`)
  try {
    mustHaveRepository(entry, calls)
    const operation = (await entry.load()).default as Operation<never, Output>
    return inWords(await operation.run(input as never, app), calls.words)
  } catch (error) {
    throw new Error(textOf(error, calls.words))
  }
}

/** An output as the command line prints it, without undefined values, but with hints in the words of tools. */
export function inWords(output: unknown, words: Words): Output {
  const answer = JSON.parse(JSON.stringify(output), (key, value) =>
    (key === 'hint' || key === 'remedy') && typeof value === 'string' ? words(value) : value,
  )
  const { notes } = answer
  const isText = Array.isArray(notes) && notes.every(note => typeof note === 'string')
  return isText ? { ...answer, notes: notes.map(words) } : answer
}

/** What is found wrong by reading is a result; what is not done is an error. */
function isRefusal(
  failed: boolean | ErrorCode,
  { effect }: Pick<Operation<never, never>, 'effect'>,
  { brief }: Output,
): boolean {
  return typeof failed === 'string' || effect !== 'read' || brief === null
}

function answered(answer: Output, pages: Pages): CallToolResult {
  const structuredContent = pages.first(answer)
  const { brief } = structuredContent
  // A brief is written to be read; all else is data, which a text only sums up.
  const said = typeof brief === 'string' ? brief : summaryOf(answer)
  const text = [said, ...restLines(structuredContent)].join('\n')
  return { content: [{ type: 'text', text }], structuredContent }
}

function refused(answer: Output, pages: Pages): CallToolResult {
  const reasons = refusalIn(answer)
  const text = reasons.length > 0 ? `refused:\n${reasons.join('\n')}` : summaryOf(answer)
  const content = [{ type: 'text' as const, text: withoutSecrets(text) }]
  return { isError: true, content, structuredContent: pages.first(answer) }
}

function paged(cursor: string, pages: Pages): CallToolResult {
  const page = pages.at(cursor)
  if (!page)
    throw new WaybillError('not-found', 'the answer of this cursor is no longer kept', {
      hint: 'repeat the call without cursor',
    })
  const { at, from, of } = page
  const text = [`${at} from ${from} of ${of}`, ...restLines(page)].join('\n')
  return { content: [{ type: 'text', text }], structuredContent: page }
}

function restLines({ rest }: Output): string[] {
  if (!Array.isArray(rest)) return []
  return rest.map(
    ({ at, given, of, cursor }) =>
      `${at}: ${given} of ${of}; repeat the call with cursor ${cursor} for the rest`,
  )
}

/** Lets an operation read the text that a call gives where it else reads standard input. */
function withContent(
  { operation }: ToolEntry,
  { content, ...input }: Given,
): { input: Given; text?: string } {
  if (content === undefined) return { input }
  const [key, property] =
    Object.entries(operation.input.properties).find(([, { inline }]) => inline) ?? []
  if (key === undefined) return { input: { ...input, content } }
  if (input[key] !== undefined)
    throw new WaybillError('usage', `${key} and content are both given`, {
      hint: 'give one of them',
    })
  const dash = property?.type === 'array' ? ['-'] : '-'
  return { input: { ...input, [key]: dash }, text: String(content) }
}

function reading(text: string, app: App): App {
  return { ...app, stdin: async () => Buffer.from(text) }
}

/** Without a repository only what is built in is answered: a search would go through all files of a user. */
function mustHaveRepository({ operation }: ToolEntry, { whyNoRepository }: Calls): void {
  if (BUILT_IN.includes(operation.name)) return
  const why = whyNoRepository()
  if (why === undefined) return
  throw new WaybillError('usage', why, {
    hint: 'start the server in a repository, or name one: waybill mcp --root <folder>',
  })
}

const BUILT_IN = ['explain', 'schema']

/** Agents may read and write only in the repository. */
function mustStayInside(entry: ToolEntry, input: Given, app: App): void {
  for (const [key, { path }] of propertiesOf(entry)) {
    if (!path) continue
    for (const value of [input[key]].flat()) {
      if (typeof value !== 'string') continue
      if (value.includes('\0') || value.length > LONGEST_PATH)
        throw new WaybillError('usage', `${key} is not a valid path`)
      if (isInside(app.root, value)) continue
      throw new WaybillError('usage', `${key} leads out of the repository`, {
        hint: 'name a path inside it, relative to its root',
      })
    }
  }
}

function errorOf(error: unknown, content: unknown, words: Words): CallToolResult {
  const text = withoutContent(textOf(error, words), content)
  return { isError: true, content: [{ type: 'text', text }] }
}

function textOf(error: unknown, words: Words): string {
  const known = error instanceof WaybillError
  const code: ErrorCode = known ? error.code : 'internal'
  const message = known ? words(error.message) : 'internal error; see standard error of the server'
  if (!known) process.stderr.write(`waybill mcp: ${error instanceof Error ? error.stack : error}\n`)
  const hint = known && error.hint ? `\n${words(error.hint)}` : ''
  return withoutSecrets(`${code}: ${message}${hint}`)
}

/** Leaves out what is quoted from a given text: it may hold what its author did not mean to show. */
function withoutContent(text: string, content: unknown): string {
  if (typeof content !== 'string') return text
  return text.replace(/'([^']+)'/g, (whole, quoted: string) => {
    const ends = quoted.split('…').filter(end => end !== '')
    return ends.every(end => content.includes(end)) ? "'…'" : whole
  })
}
