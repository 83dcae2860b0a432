import type { Fields } from '../../contract/index.ts'
import {
  type Change,
  type Document,
  editDocument,
  type Json,
  type Path,
} from '../../document/index.ts'

/** Writes a changed value into the text of a document, keeping everything that is equal as written. */
export function rewrite(
  document: Document,
  text: string,
  base: readonly string[],
  value: Fields,
): string | undefined {
  const before = base.reduce((v: unknown, key) => (v as Fields | undefined)?.[key], document.value)
  if (document.format === 'markdown')
    return rewriteFrontmatter(document, text, before as Fields, value)
  return editDocument(text, document.format, changesBetween(before, value, base))
}

/** Rewrites the frontmatter of a Markdown document; `undefined` when other parts would have to change. */
function rewriteFrontmatter(
  { markdown }: Document,
  text: string,
  before: Fields,
  after: Fields,
): string | undefined {
  const { frontmatter, ...body } = before
  const { frontmatter: wanted, ...rest } = after
  if (!markdown?.frontmatter || JSON.stringify(body) !== JSON.stringify(rest)) return undefined
  const { span, text: yaml } = markdown.frontmatter
  const edited = editDocument(yaml, 'yaml', changesBetween(frontmatter, wanted, []))
  return text.slice(0, span.start) + edited + text.slice(span.end)
}

/** Returns the changes between two values: objects key by key, anything else as a whole. */
function changesBetween(before: unknown, after: unknown, path: Path): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (!isFields(before) || !isFields(after)) return [{ path, value: after as Json }]
  const gone = Object.keys(before).filter(key => !Object.hasOwn(after, key))
  return [
    ...Object.entries(after).flatMap(([key, value]) =>
      Object.hasOwn(before, key)
        ? changesBetween(before[key], value, [...path, key])
        : [{ path: [...path, key], value: value as Json }],
    ),
    ...gone.map(key => ({ path: [...path, key], remove: true }) as const),
  ]
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
