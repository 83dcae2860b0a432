/** The keys of the frontmatter in their recommended order. */
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
