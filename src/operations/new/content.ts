import { resolve } from 'node:path'
import { as, type Contract, type Fields, nearest, quote } from '../../contract/index.ts'
import { isHandoffContract } from '../../contracts/index.ts'
import {
  type Document,
  decode,
  type Format,
  formatOf,
  MOST_BYTES,
  readDocuments,
} from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type CarryAnswer, contentOf, type HandoffContent } from '../../session/index.ts'
import { cannotRead, readOwnFile } from '../../workspace/index.ts'
import type { ReportedDiagnostic } from '../check/output.ts'
import type { App } from '../operation.ts'
import { answersFrom } from './answers.ts'

/** The content given for a new document, or the errors in it. */
export type Content =
  | { readonly kind: 'fields'; readonly value: Fields }
  | {
      readonly kind: 'handoff'
      readonly content: HandoffContent
      readonly answers: readonly CarryAnswer[]
    }
  | { readonly kind: 'faulty'; readonly diagnostics: readonly ReportedDiagnostic[] }

/** Reads the content of `--from`; without it, the content is empty. */
export async function readContent(
  from: string | undefined,
  contract: Contract,
  app: App,
): Promise<Content> {
  const isHandoff = isHandoffContract(contract.name)
  if (from === undefined) return isHandoff ? handoffOf({}) : { kind: 'fields', value: {} }
  const { text, faults } = decode(await bytesOf(from, app))
  const format = contentFormat(from, text, isHandoff)
  const { documents } = await readDocuments(text, format, faults)
  const [document] = documents
  if (!document || document.faults.length > 0)
    return { kind: 'faulty', diagnostics: faultsIn(document) }
  if (format === 'markdown') {
    if (isHandoff) return { kind: 'handoff', content: contentOf(document), answers: [] }
    throw usage(`a ${contract.name} cannot be made from Markdown`, 'pass JSON or YAML')
  }
  const { value } = as(contract, document.value)
  if (!isFields(value)) throw usage('the content is not an object', 'pass the fields by name')
  return isHandoff ? handoffOf(value) : { kind: 'fields', value }
}

/** A YAML comment looks like a Markdown heading, and a sentence of a handoff like a YAML text. */
function contentFormat(from: string, text: string, isHandoff: boolean): Format {
  const guess = formatOf(from === '-' ? '' : from, text)
  if (guess === 'markdown' && from === '-' && !isHandoff) return 'yaml'
  const hasKeys = /^\s*(?:[\w$"'-]+\s*:|\{)/m.test(text)
  return guess === 'yaml' && isHandoff && !hasKeys ? 'markdown' : guess
}

async function bytesOf(from: string, app: App): Promise<Uint8Array> {
  if (from === '-') return app.stdin()
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(resolve(app.cwd, from), MOST_BYTES)
  } catch (cause) {
    throw cannotRead(from, cause)
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `${from} does not exist`, {
    hint: 'name a file with the content, or - for standard input',
  })
}

function faultsIn(document: Document | undefined): ReportedDiagnostic[] {
  return (document?.faults ?? []).map(({ code, message, hint, span }) => {
    const { start, end } = document?.range(span) ?? NOWHERE
    return {
      code,
      severity: 'error',
      path: '',
      line: start.line + 1,
      column: start.character + 1,
      endLine: end.line + 1,
      endColumn: end.character + 1,
      message,
      hint,
    }
  })
}

const NOWHERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
const PARTS = ['frontmatter', 'sections', 'carried']

/** Reads a handoff document given as data: `{ frontmatter?, sections: { title: text }, carried? }`. */
function handoffOf(value: Fields): Content {
  const unknown = Object.keys(value).find(key => !PARTS.includes(key) && key !== '$schema')
  if (unknown !== undefined) {
    const meant = nearest(unknown, PARTS)
    throw usage(
      `the content has the unknown key ${quote(unknown)}`,
      meant ? `did you mean ${meant}?` : 'the keys are frontmatter, sections and carried',
    )
  }
  const { frontmatter = {}, sections = {}, carried = [] } = value
  if (!isFields(frontmatter) || !isFields(sections)) {
    throw usage('frontmatter and sections must be objects', 'pass sections as { "title": "text" }')
  }
  return {
    kind: 'handoff',
    content: {
      frontmatter,
      preamble: '',
      sections: Object.entries(sections).map(([title, body]) => ({
        title: titleFrom(title),
        level: 2,
        body: bodyFrom(title, body),
      })),
    },
    answers: answersFrom(carried),
  }
}

/** Requires a one-line title; more lines would become document text. */
function titleFrom(title: string): string {
  if (!/[\r\n]/.test(title)) return title
  throw usage(
    `the title ${quote(title)} has more than one line`,
    'pass sections as { "title": "text" }',
  )
}

/** Returns the text of a section; an array becomes a list. */
function bodyFrom(title: string, body: unknown): string {
  if (typeof body === 'string') return body.replaceAll(/\r\n?/g, '\n').trim()
  if (Array.isArray(body) && body.every(entry => typeof entry === 'string'))
    return body.map(entry => `- ${entry.replaceAll('\n', '\n  ')}`).join('\n')
  throw usage(`the section ${quote(title)} is not text`, 'pass a string or a list of strings')
}

function usage(message: string, hint: string): WaybillError {
  return new WaybillError('usage', message, { hint })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
