/** Queue entries with this prefix are not tasks of a mission. */
const RESERVED = 'waybill:'
const WRITE_BACK = `${RESERVED}writeback:`

/** Reports whether a task name is reserved: no graph may use it. */
export function isReserved(task: string): boolean {
  return task.startsWith(RESERVED)
}

/** The queue name of a proposal's delivery. */
export function deliveryTask(proposal: string): string {
  return `${WRITE_BACK}${proposal}`
}

/** The proposal that a queue name delivers; undefined for other names. */
export function deliveredProposal(task: string): string | undefined {
  return task.startsWith(WRITE_BACK) ? task.slice(WRITE_BACK.length) : undefined
}
