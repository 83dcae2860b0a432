/** Returns the documents that a problem is about: all of a circle, else the first one named. */
export function subjectsOf({
  code,
  documents,
}: {
  readonly code: string
  readonly documents: readonly string[]
}): readonly string[] {
  return code === 'lineage/circle' ? documents : documents.slice(0, 1)
}
