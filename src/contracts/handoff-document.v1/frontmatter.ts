/** The keys of the frontmatter, in the order in which they are best written. */
export const FRONTMATTER_KEYS: readonly string[] = [
  'mode',
  'adr_id',
  'branch',
  'timestamp',
  'agent',
  'obpi_id',
  'session_id',
  'continues_from',
]
