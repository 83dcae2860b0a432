interface Mode {
  readonly execution_mode?: string
}

/** Whether agents work one after another, in the order in which they are listed. */
export function isSequential({ execution_mode }: Mode): boolean {
  return /^sequential$/i.test(execution_mode ?? '')
}

/** Whether agents work side by side, so that their order in the list says nothing. */
export function isParallel({ execution_mode }: Mode): boolean {
  return /^parallel$/i.test(execution_mode ?? '')
}
