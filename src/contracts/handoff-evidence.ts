import {
  type Files,
  inOtherForm,
  isMatched,
  kindAt,
  quote,
  type Rule,
  type Severity,
} from '../contract/index.ts'
import type { Document, Markdown, Span } from '../document/index.ts'
import type { Handoff } from './handoff.ts'
import { EVIDENCE } from './handoff-document.v1/sections.ts'
import type { HandoffFacts } from './handoff-facts.ts'
import { type HandoffSection, sectionAt } from './handoff-outline.ts'
import { type HandoffPlace, sectionsOfNote } from './handoff-place.ts'
import { normalPath, whyNotRelative } from './paths.ts'

const ADDRESS = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|mailto:|data:|urn:|www\.)/i
const POSITION = /(?::[0-9]+(?::[0-9]+)?|#L[0-9]+)$/
/** A suffix that names several lines, up to the first of them. */
const LINES = /((?::|#L)[0-9]+)-L?[0-9]+$/
/**
 * Not extensions: the last number of a version, the brackets of a call, the end of a commit range. Of extensions that
 * begin with a digit only known formats count, because `3.9rc` is a version too.
 */
const EXTENSION = /(?<!\.)\.(?:[A-Za-z][A-Za-z0-9_-]{0,15}|7z|3gp|3ds|3mf)$/i
const GLOB = /[*?]|\[[^\]]*\]|\{[^{},]*,[^{}]*\}/

/** Finds the sections of a document that name evidence. */
type FindEvidence = (
  markdown: Markdown,
  facts: Partial<HandoffFacts>,
) => readonly Pick<HandoffSection, 'content'>[]

/** The rule that the named evidence exists. */
export function evidenceExists(
  severity: Severity,
  where: string,
  find: FindEvidence,
): Rule<Handoff, HandoffFacts> {
  return {
    severity,
    summary: `Every path in a code span of ${where} exists in the repository.`,
    why: 'Missing evidence proves nothing, yet the next session builds on it.',
    reads: ['/sections'],
    needs: ['files'],
    uses: ['headings'],
    applies: (_, { document, facts }) => references(document, facts, find).length > 0,
    *check(_, { document, facts }) {
      if (!facts.files) return
      for (const { section, path, span } of references(document, facts, find)) {
        const fault = faultOf(path, facts.files)
        if (fault) yield { path: ['sections', section], span, ...fault }
      }
    },
  }
}

interface Reference {
  readonly section: number
  readonly path: string
  readonly span: Span
}

/** The paths that a document names as evidence; cached, since two callers ask. */
function references(
  document: Document,
  facts: Partial<HandoffFacts>,
  find: FindEvidence,
): readonly Reference[] {
  if (document !== last?.document)
    last = { document, found: findReferences(document.markdown, facts, find) }
  return last.found
}

/** One entry only: a WeakMap would keep every text until the next full collection. */
let last: { document: Document; found: readonly Reference[] } | undefined

function findReferences(
  markdown: Markdown | undefined,
  facts: Partial<HandoffFacts>,
  find: FindEvidence,
): Reference[] {
  if (!markdown) return []
  return find(markdown, facts).flatMap(({ content }) =>
    pathsIn(markdown, content).map(({ path, span }) => ({
      section: sectionAt(markdown, span.start),
      path,
      span,
    })),
  )
}

/** The paths in the code spans of a text, in text order. */
function pathsIn(markdown: Markdown, within: Span): { path: string; span: Span }[] {
  return markdown.codeSpans(within).flatMap(({ text, span }) => {
    const path = pathIn(text)
    return path === undefined ? [] : [{ path, span }]
  })
}

/** The paths that a handoff names as evidence, in text order. */
export function evidencePaths({ markdown }: Document, place: HandoffPlace): string[] {
  if (!markdown) return []
  const sections =
    sectionsOfNote(markdown, place)?.filter(({ part }) => part === 'evidence') ??
    documentEvidence(markdown)
  return sections.flatMap(({ content }) => pathsIn(markdown, content).map(({ path }) => path))
}

/** The evidence sections of a handoff document. */
export function documentEvidence({ sections }: Markdown): Markdown['sections'] {
  return sections.filter(({ level, title }) => level === 2 && title === EVIDENCE)
}

/** The path in a code span without a line number; `undefined` if it is not a path. */
export function pathIn(code: string): string | undefined {
  if (/\s/.test(code) || ADDRESS.test(code) || /^[-$]/.test(code)) return undefined
  const path = code.replace(POSITION, '')
  return path.includes('/') || EXTENSION.test(path) ? path : undefined
}

function faultOf(path: string, files: Files): { message: string; hint: string } | undefined {
  const why = whyNotRelative(path)
  if (why !== undefined) {
    const hint = 'name a file by its path from the root of the repository, or describe it in words'
    return { message: `${quote(path)} ${why}`, hint }
  }
  const kind = kindAt(files, path)
  if (kind === 'outside') {
    return {
      message: `${quote(path)} is outside the repository`,
      hint: 'copy the file into the repository, or describe it in words',
    }
  }
  if (kind !== 'missing') return undefined
  // A name such as `[id].tsx` is a glob only if no such file exists.
  if (!GLOB.test(path))
    return {
      message: `${quote(path)} does not exist${inOtherForm(files, path)}`,
      hint: missingHint(path, files),
    }
  if (isMatched(files, normalPath(path) ?? path)) return undefined
  return {
    message: `no file matches ${quote(path)}`,
    hint: 'correct the pattern, or remove it if nothing was produced',
  }
}

function missingHint(path: string, files: Files): string {
  const line = path.replace(LINES, '$1')
  if (line !== path && kindAt(files, line.replace(POSITION, '')) === 'file')
    return `name one line, not several: write ${quote(line)}`
  return path.includes('\\')
    ? "write the path with '/'"
    : 'correct the path, relative to the root of the repository; if it is not a path, remove the backticks'
}
