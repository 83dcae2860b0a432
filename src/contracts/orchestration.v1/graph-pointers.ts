/** Pointers of everything that the graph is built from. */
export const GRAPH_POINTERS = [
  '/pipelines/*/id',
  '/pipelines/*/short_alias',
  ...['', 'agents/*/'].flatMap(part =>
    ['id', 'depends_on', 'blocked_by'].map(key => `/pipelines/*/phases/*/${part}${key}`),
  ),
  ...['id', 'depends_on', 'blocked_by', 'after_phases'].map(key => `/barriers/*/${key}`),
  ...['id', 'depends_on', 'blocked_by', 'execution_mode', 'agents'].map(
    key => `/execution_queue/groups/*/${key}`,
  ),
]
