/** The statuses of phases and agents; barriers have three of them. */
export const STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETE', 'FAILED', 'BLOCKED']
