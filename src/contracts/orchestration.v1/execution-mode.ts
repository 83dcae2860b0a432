interface Mode {
  readonly execution_mode?: string
}

/** Whether agents run one after another, in list order. */
export function isSequential({ execution_mode }: Mode): boolean {
  return /^sequential$/i.test(execution_mode ?? '')
}

/** Whether agents run in parallel, so that list order means nothing. */
export function isParallel({ execution_mode }: Mode): boolean {
  return /^parallel$/i.test(execution_mode ?? '')
}
