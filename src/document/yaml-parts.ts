import type { Span } from './document.ts'
import type { Member, ScalarNode, SourceNode } from './source-tree.ts'

/** Collects the parts of a YAML text with their positions: each collection after its parts. */
export class YamlParts {
  readonly #parts: SourceNode[] = []

  /** The root, once complete. */
  get root(): SourceNode | undefined {
    return this.#parts[0]
  }

  /** The number of parts outside any collection so far; parts added later can be closed as one. */
  get open(): number {
    return this.#parts.length
  }

  addScalar(value: ScalarNode['value'], span: Span): void {
    this.#parts.push({ kind: 'scalar', value, span })
  }

  /** Makes an array of the parts from `first` on; one without brackets begins at its first dash. */
  closeArray(first: number, start: number, end?: number): void {
    const items = this.#parts.splice(first)
    this.#parts.push({ kind: 'array', span: { start, end: end ?? endOf(items) }, items })
  }

  /** Makes an object of the parts from `first` on, alternating keys and values. */
  closeObject(first: number, start: number, end?: number): void {
    const parts = this.#parts.splice(first)
    const members: Member[] = []
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const key = parts[i]
      const value = parts[i + 1]
      if (key?.kind === 'scalar' && value) members.push({ key, value })
    }
    this.#parts.push({ kind: 'object', span: { start, end: end ?? endOf(parts) }, members })
  }
}

function endOf(parts: readonly SourceNode[]): number {
  return parts.at(-1)?.span.end ?? 0
}
