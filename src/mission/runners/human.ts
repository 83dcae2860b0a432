import type { Runner } from '../runner.ts'
import { startDeadline } from './deadline.ts'
import { defineRunner } from './kind.ts'

export default defineRunner({
  what: 'a person',
  needs: [],
  allows: [],
  create: () => humanRunner(),
})

/** Leaves a task to a person: it waits for an answer without using resources. */
export function humanRunner(): Runner {
  return {
    run: async ({ budget }, { signal, continued }) => {
      const over = startDeadline(undefined, budget, signal).ended()
      if (over) return over
      if (continued?.answer === undefined) return { is: 'waiting', for: 'person' }
      return { is: 'returned', answer: continued.answer }
    },
  }
}
