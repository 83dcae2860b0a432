/** What a statement is: a standing rule, a decision, or a fact. */
export type StatementKind = 'rule' | 'decision' | 'fact'

/** One statement ends another. */
export interface Ending {
  /** The id of the statement that ends. */
  readonly id: string
  /** The person who ends it; a rule ends only if one is named. */
  readonly by?: string
  readonly why?: string
}

/** A statement of a document. It is in force until a later statement ends it. */
export interface Statement {
  readonly kind: StatementKind
  /** The id that the text begins with, such as R-003, or one made from the text. */
  readonly id: string
  /** The text begins with the id. */
  readonly numbered: boolean
  /** Its Markdown without list marker, id, scope and origin. */
  readonly text: string
  /** The text as compared: white space, emphasis and letter case do not distinguish statements. */
  readonly key: string
  /** What a rule is about: a command or path pattern. */
  readonly scope?: string
  /** The file name of the document that it comes from, if the text names one. */
  readonly origin?: string
  readonly ends: readonly Ending[]
  /** Its Markdown without list marker and origin. */
  readonly source: string
}

/** The first letter of the ids of each kind. */
export const ID_LETTER: Readonly<Record<StatementKind, string>> = {
  rule: 'R',
  decision: 'D',
  fact: 'F',
}

/** The longest name in an ending, in characters. */
export const LONGEST_PERSON = 100
/** The longest reason of an ending, in characters. */
export const LONGEST_REASON = 500

const ID = '[RDF]-(?:[0-9]{1,6}|[a-z]{6})'
const LEADING_ID = new RegExp(`^(\\*\\*|__)?(${ID})(?::\\1|\\1:)[ \\t]+(?=\\S)`)
const SCOPE = /`scope:[ \t]*([^`\s][^`\n]{0,199})`[.]?$/
/** Searching a long text for a scope takes long. */
const MAY_END_IN_SCOPE = /`[.]?$/
const ORIGIN = /\((?:in force since|carried over from) `([^`\n]{1,300})`(?:: [^\n]*)?\)$/
/** Comments are not seen, and code is an example. */
const UNSAID = '<!--[\\s\\S]*?(?:-->|$)|(`+)[^`]*\\1'
/** White space may be a line end; the reason may have parentheses. */
const ENDING = new RegExp(
  `${UNSAID}|\\(supersedes\\s(${ID}(?:,\\s?${ID})*)(?:,\\sby\\s([^:()]{1,${LONGEST_PERSON}}))?(?::\\s((?:[^()]|\\([^()]*\\)){1,${LONGEST_REASON}}))?\\)`,
  'gi',
)

/** Reads a statement from the Markdown of a list item or paragraph. */
export function statementFrom(kind: StatementKind, markdown: string): Statement {
  const whole = markdown.trim()
  // Only the last line, and only where it can match: a long text would take long.
  const last = whole.lastIndexOf('\n') + 1
  const origin = whole.endsWith(')') ? ORIGIN.exec(whole.slice(last)) : null
  const source = origin ? whole.slice(0, last + origin.index).trimEnd() : whole
  const scope = MAY_END_IN_SCOPE.test(source.slice(-2)) ? SCOPE.exec(source) : null
  const body = scope ? source.slice(0, scope.index).trimEnd() : source
  const lead = LEADING_ID.exec(body)
  // The id of another kind is part of the text: it must not take the place of a statement of that kind.
  const id = lead?.[2]?.startsWith(ID_LETTER[kind]) ? lead : null
  const text = id ? body.slice(id[0].length) : body
  const key = keyOf(kind, text)
  return {
    ...{ kind, id: id?.[2] ?? idFrom(kind, key), numbered: id !== null, text, key },
    ...(scope?.[1] !== undefined && { scope: scope[1].trimEnd() }),
    ...(origin?.[1] !== undefined && { origin: origin[1] }),
    ends: body.includes('(') ? endingsIn(body) : [],
    source,
  }
}

/** The statement without the id that it begins with. */
export function withoutId({ kind, source }: Statement): Statement {
  return statementFrom(kind, source.replace(LEADING_ID, ''))
}

function endingsIn(body: string): Ending[] {
  return [...body.matchAll(ENDING)].flatMap(([, , ids = '', by = '', why]) =>
    (ids === '' ? [] : ids.split(/,\s?/)).map(id => ({
      id: canonicalId(id),
      ...(isPerson(by) && { by: onOneLine(by) }),
      ...(why !== undefined && { why: onOneLine(why) }),
    })),
  )
}

/** Tells whether a text can be the name of a person: it has a letter or digit. */
export function isPerson(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name)
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The note that ends a statement: `(supersedes R-003, by Ada: the branch is gone)`. */
export function endingNote({ id, by, why }: Ending): string {
  // Parentheses and line ends would close the note.
  const plain = (text: string) => text.replace(/[()\s]+/g, ' ').trim()
  const person = by === undefined ? '' : `, by ${plain(by).replaceAll(':', ' ')}`
  return `(supersedes ${id}${person}${why === undefined ? '' : `: ${plain(why)}`})`
}

/** The note that says where a statement comes from. */
export function originNote(fileName: string): string {
  return `(in force since \`${fileName.replaceAll('`', "'")}\`)`
}

const CANONICAL = /^[RDF]-(?:[0-9]{3}|[a-z]{6})$/

/** The id as compared: `R-3` and `R-003` are one. */
export function canonicalId(id: string): string {
  if (CANONICAL.test(id)) return id
  const [letter = '', rest = ''] = id.split('-')
  const number = /^[0-9]+$/.test(rest) ? String(Number(rest)).padStart(3, '0') : rest.toLowerCase()
  return `${letter.toUpperCase()}-${number}`
}

/** Most texts have few such places; replacing every space takes long. */
const UNEVEN = /(?:[*_]|[^\S ]| (?=[*_\s]))[*_\s]*/g

function keyOf(kind: StatementKind, text: string): string {
  const even = text.replace(UNEVEN, ' ').trim().toLowerCase()
  return `${kind} ${even.endsWith('.') ? even.slice(0, -1) : even}`
}

/** An id made from the text (FNV-1a), so that a statement without one can be named too. */
function idFrom(kind: StatementKind, key: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0
  let letters = ''
  for (let i = 0; i < 6; i++) {
    letters += String.fromCharCode(97 + (hash % 26))
    hash = Math.floor(hash / 26)
  }
  return `${ID_LETTER[kind]}-${letters}`
}
