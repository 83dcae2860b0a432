/** The documents that a problem of a chain says something of: all of a circle, else the first that it names. */
export function subjectsOf({
  code,
  documents,
}: {
  readonly code: string
  readonly documents: readonly string[]
}): readonly string[] {
  return code === 'lineage/circle' ? documents : documents.slice(0, 1)
}
