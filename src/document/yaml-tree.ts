import {
  type AliasEvent,
  COLLECTION_STYLE,
  type DocumentDirective,
  type DocumentEvent,
  EVENT_ID,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import type { Fault, Span } from './document.ts'
import { MAX_DEPTH } from './json-scan.ts'
import type { Member, ScalarNode, SourceNode } from './source-tree.ts'
import { resolveTagged, resolveUntagged } from './yaml-scalar.ts'
import { emptySpan, endOfFlow, type Role, scalarSpan } from './yaml-span.ts'
import {
  aliasFault,
  keyFault,
  secondDocumentFault,
  tagFault,
  tooDeepFault,
  unseenFault,
  versionFault,
} from './yaml-wording.ts'

/** The first document of a YAML stream with the position of every part. */
interface YamlTree {
  /** Absent if the stream has only white space, comments and markers. */
  readonly root: SourceNode | undefined
  /** What YAML allows but Waybill does not. */
  readonly faults: readonly Fault[]
}

interface Frame {
  readonly node: MappingFrame | SequenceFrame
  readonly start: number
  /** Whether it has a closing bracket. A pair inside a flow sequence, as in `[a: 1]`, has none. */
  bracketed: boolean
}

interface MappingFrame {
  readonly kind: 'object'
  readonly members: Member[]
  key: ScalarNode | undefined
}

interface SequenceFrame {
  readonly kind: 'array'
  readonly items: SourceNode[]
}

/** Builds the tree of a YAML text from the events of its parser. */
export function yamlTree(text: string, events: readonly Event[]): YamlTree {
  const builder = new TreeBuilder(text)
  for (const event of events) builder.add(event)
  return builder
}

class TreeBuilder implements YamlTree {
  root: SourceNode | undefined
  readonly faults: Fault[] = []
  readonly #text: string
  readonly #frames: Frame[] = []
  #document: DocumentEvent | undefined
  #isOver = false
  #isTooDeep = false
  /** The end of the parts placed so far; events do not report the end of collections and empty scalars. */
  #cursor = 0

  constructor(text: string) {
    this.#text = text
  }

  add(event: Event): void {
    if (this.#isOver) return
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        this.#begin(event)
        break
      case EVENT_ID.MAPPING:
        this.#checkTag(event, '!!map')
        this.#open(event, { kind: 'object', members: [], key: undefined })
        break
      case EVENT_ID.SEQUENCE:
        this.#checkTag(event, '!!seq')
        this.#open(event, { kind: 'array', items: [] })
        break
      case EVENT_ID.SCALAR:
        this.#scalar(event)
        break
      case EVENT_ID.ALIAS:
        this.#alias(event)
        break
      case EVENT_ID.POP:
        this.#close()
    }
  }

  #begin(event: DocumentEvent): void {
    if (this.#document) {
      this.faults.push(secondDocumentFault(this.#endOfDocument(this.#document)))
      this.#isOver = true
      return
    }
    this.#document = event
    for (const directive of event.directives) this.#checkDirective(directive)
  }

  #checkDirective(directive: DocumentDirective): void {
    if (directive.kind === 'yaml' && directive.version === '1.2') return
    const pattern = directive.kind === 'yaml' ? /^%YAML.*/m : /^%TAG.*/m
    const { index, 0: line } = pattern.exec(this.#text) ?? { index: 0, 0: '' }
    const span = { start: index, end: index + line.trimEnd().length }
    this.faults.push(directive.kind === 'yaml' ? versionFault(span) : tagFault(span))
  }

  /** The marker after the first document; its own marker comes first if the document is empty. */
  #endOfDocument({ explicitStart }: DocumentEvent): Span {
    const marker = /^(?:---|\.\.\.)(?=\s|$)/gm
    marker.lastIndex = this.#cursor
    const found = [marker.exec(this.#text), marker.exec(this.#text)]
    const match = found[explicitStart && this.#cursor === 0 ? 1 : 0]
    const start = match?.index ?? this.#text.length
    return { start, end: Math.min(start + 3, this.#text.length) }
  }

  #checkTag({ tagStart, tagEnd }: MappingEvent | SequenceEvent, expected: string): void {
    if (tagStart < 0) return
    const tag = this.#text.slice(tagStart, tagEnd)
    if (tag !== '!' && tag !== expected)
      this.faults.push(tagFault({ start: tagStart, end: tagEnd }))
  }

  #open({ start, style }: MappingEvent | SequenceEvent, node: MappingFrame | SequenceFrame): void {
    const outer = this.#frames.at(-1)
    // A bracket at the start of a pair belongs to its key.
    if (outer?.start === start) outer.bracketed = false
    const bracketed = style === COLLECTION_STYLE.FLOW && '[{'.includes(this.#text.charAt(start))
    this.#frames.push({ node, start, bracketed })
    this.#cursor = Math.max(this.#cursor, start)
    if (this.#frames.length > MAX_DEPTH && !this.#isTooDeep) {
      this.#isTooDeep = true
      this.faults.push(tooDeepFault({ start, end: start + 1 }))
    }
  }

  #close(): void {
    const frame = this.#frames.pop()
    // The event after the last frame closes the document.
    if (!frame) return
    const { node, start, bracketed } = frame
    const end = bracketed ? endOfFlow(this.#text, Math.max(this.#cursor, start + 1)) : this.#cursor
    const span = { start, end }
    this.#cursor = end
    if (node.kind === 'array') this.#place({ kind: 'array', span, items: node.items })
    else this.#place({ kind: 'object', span, members: node.members })
  }

  #scalar(event: ScalarEvent): void {
    const span = this.#spanOf(event)
    this.#cursor = span.end
    const tagged = event.tagStart < 0 ? undefined : resolveTagged(this.#text, event)
    if (event.tagStart >= 0 && !tagged) {
      this.faults.push(tagFault({ start: event.tagStart, end: event.tagEnd }))
    }
    const empty = event.valueStart < 0 && event.tagStart < 0 && event.anchorStart < 0
    if (empty && this.#frames.length === 0) return
    this.#place({ kind: 'scalar', span, ...(tagged ?? resolveUntagged(this.#text, event)) })
  }

  #spanOf(event: ScalarEvent): Span {
    if (event.valueStart >= 0) return scalarSpan(this.#text, event)
    const properties = Math.max(event.tagEnd, event.anchorEnd)
    if (properties >= 0) return { start: properties, end: properties }
    return emptySpan(this.#text, this.#cursor, this.#role())
  }

  #role(): Role {
    const node = this.#frames.at(-1)?.node
    if (!node) return 'root'
    if (node.kind === 'array') return 'item'
    return node.key ? 'value' : 'key'
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): void {
    const span = { start: anchorStart - 1, end: anchorEnd }
    this.#cursor = anchorEnd
    this.faults.push(aliasFault(span))
    // Not null, which would be rejected again as a key.
    this.#place({ kind: 'scalar', span, value: '' })
  }

  #place(node: SourceNode): void {
    const frame = this.#frames.at(-1)?.node
    if (!frame) this.root = node
    else if (frame.kind === 'array') frame.items.push(node)
    else if (frame.key) {
      frame.members.push({ key: frame.key, value: node })
      frame.key = undefined
    } else frame.key = this.#asKey(node)
  }

  #asKey(node: SourceNode): ScalarNode {
    if (node.kind === 'scalar' && node.value !== null) {
      const fault = unseenFault(this.#text, node.span)
      if (fault) this.faults.push(fault)
      return node
    }
    this.faults.push(keyFault(node.span))
    return {
      kind: 'scalar',
      span: node.span,
      value: this.#text.slice(node.span.start, node.span.end),
    }
  }
}
