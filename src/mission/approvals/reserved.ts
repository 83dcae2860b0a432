/** What begins so is none of a mission's tasks. */
const RESERVED = 'waybill:'
const WRITE_BACK = `${RESERVED}writeback:`

/** Tells whether a name is kept for what is no task of a mission: no graph may use it. */
export function isReserved(task: string): boolean {
  return task.startsWith(RESERVED)
}

/** Under which name the delivery of a proposal stands in the queue. */
export function deliveryTask(proposal: string): string {
  return `${WRITE_BACK}${proposal}`
}

/** The proposal that a name in the queue is the delivery of; undefined for any other name. */
export function deliveredProposal(task: string): string | undefined {
  return task.startsWith(WRITE_BACK) ? task.slice(WRITE_BACK.length) : undefined
}
