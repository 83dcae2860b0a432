/** What the rules that handoff documents and handoff notes share read of a document. */
export interface Handoff {
  readonly frontmatter?: {
    readonly mode?: string | null
    readonly timestamp?: string | null
    readonly continues_from?: string | null
  }
  readonly sections: readonly {
    readonly title: string
    readonly level: number
    readonly body: string
  }[]
}
