import {
  type Files,
  inOtherForm,
  isMatched,
  kindAt,
  quote,
  type Rules,
} from '../../../contract/index.ts'
import type { Document, Span } from '../../../document/index.ts'
import { normalPath, whyNotRelative } from '../../paths.ts'
import type { HandoffFacts } from '../facts.ts'
import type { HandoffDocument } from '../schema.ts'
import { EVIDENCE } from '../sections.ts'

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

/** The rule that the named evidence exists. */
export const evidenceRules = {
  'referenced-files-exist': {
    severity: 'error',
    summary: `Every path in a code span of '${EVIDENCE}' exists in the repository.`,
    why: 'Missing evidence proves nothing, yet the next session builds on it.',
    reads: ['/sections'],
    needs: ['files'],
    applies: ({ sections }, { document }) => references(sections, document).length > 0,
    *check({ sections }, { document, facts: { files } }) {
      if (!files) return
      for (const { section, path, span } of references(sections, document)) {
        const fault = faultOf(path, files)
        if (fault) yield { path: ['sections', section], span, ...fault }
      }
    },
  },
} satisfies Rules<HandoffDocument, HandoffFacts>

interface Reference {
  readonly section: number
  readonly path: string
  readonly span: Span
}

/** The paths that a document names as evidence; cached, since two callers ask. */
function references(
  sections: HandoffDocument['sections'],
  document: Document,
): readonly Reference[] {
  if (document !== last?.document) last = { document, found: findReferences(sections, document) }
  return last.found
}

/** One entry only: a WeakMap would keep every text until the next full collection. */
let last: { document: Document; found: readonly Reference[] } | undefined

/** The paths that a handoff document names as evidence, in text order. */
export function evidencePaths(document: Document): readonly string[] {
  const { sections } = document.value as HandoffDocument
  return references(sections, document).map(({ path }) => path)
}

function findReferences(
  sections: HandoffDocument['sections'],
  { markdown }: Document,
): Reference[] {
  return sections.flatMap(({ title, level }, section) => {
    const content = markdown?.sections[section]?.content
    if (level !== 2 || title !== EVIDENCE || !markdown || !content) return []
    return markdown.codeSpans(content).flatMap(({ text, span }) => {
      const path = pathIn(text)
      return path === undefined ? [] : [{ section, path, span }]
    })
  })
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
