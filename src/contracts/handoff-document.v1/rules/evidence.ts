import { type Files, isMatched, kindAt, quote, type Rules } from '../../../contract/index.ts'
import type { Document, Span } from '../../../document/index.ts'
import { normalPath, whyNotRelative } from '../../paths.ts'
import type { HandoffFacts } from '../facts.ts'
import type { HandoffDocument } from '../schema.ts'
import { EVIDENCE } from '../sections.ts'

const ADDRESS = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|mailto:|data:|urn:|www\.)/i
const POSITION = /(?::[0-9]+(?::[0-9]+)?|#L[0-9]+)$/
/** What people write for several lines, up to the first of them. */
const LINES = /((?::|#L)[0-9]+)-L?[0-9]+$/
/**
 * A version's last number is no extension, neither are the brackets of a call, nor what ends a range of commits. Of the
 * extensions that begin with a digit those of known formats count, because `3.9rc` is a version too.
 */
const EXTENSION = /(?<!\.)\.(?:[A-Za-z][A-Za-z0-9_-]{0,15}|7z|3gp|3ds|3mf)$/i
const GLOB = /[*?]|\[[^\]]*\]|\{[^{},]*,[^{}]*\}/

/** That what the session left is really there. */
export const evidenceRules = {
  'referenced-files-exist': {
    severity: 'error',
    summary: `Every path in a code span of '${EVIDENCE}' exists inside the repository.`,
    why: 'Evidence that cannot be opened proves nothing, and whoever resumes builds on it.',
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

/** What a document's evidence names; looked for once, though it is asked for twice. */
function references(
  sections: HandoffDocument['sections'],
  document: Document,
): readonly Reference[] {
  if (document !== last?.document) last = { document, found: findReferences(sections, document) }
  return last.found
}

/** A weak map of them would keep every text until the next full collection: what it leads to counts as alive before. */
let last: { document: Document; found: readonly Reference[] } | undefined

/** The paths that a handoff document names as evidence, in the order of the text. */
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

/** The path that a code span names, without the line that it may point at; `undefined` if it names none. */
export function pathIn(code: string): string | undefined {
  if (/\s/.test(code) || ADDRESS.test(code) || /^[-$]/.test(code)) return undefined
  const path = code.replace(POSITION, '')
  return path.includes('/') || EXTENSION.test(path) ? path : undefined
}

function faultOf(path: string, files: Files): { message: string; hint: string } | undefined {
  const why = whyNotRelative(path)
  if (why !== undefined) {
    const hint = 'name a file of the repository by its path from the root, or describe it in words'
    return { message: `${quote(path)} ${why}`, hint }
  }
  const kind = kindAt(files, path)
  if (kind === 'outside') {
    return {
      message: `${quote(path)} leads out of the repository`,
      hint: 'copy what it shows into the repository, or describe it in words',
    }
  }
  if (kind !== 'missing') return undefined
  // A name such as `[id].tsx` is a file first and a glob only if there is no such file.
  if (!GLOB.test(path))
    return { message: `${quote(path)} does not exist`, hint: missingHint(path, files) }
  if (isMatched(files, normalPath(path) ?? path)) return undefined
  return {
    message: `no file matches ${quote(path)}`,
    hint: 'correct the pattern, or leave it out if nothing was produced',
  }
}

function missingHint(path: string, files: Files): string {
  const line = path.replace(LINES, '$1')
  if (line !== path && kindAt(files, line.replace(POSITION, '')) === 'file')
    return `one line can be named, and not several: write ${quote(line)}`
  return path.includes('\\')
    ? "write the path with '/'"
    : 'correct the path, which begins at the root of the repository; if it is none, write it without backticks'
}
