import { mustBeName, titleOf, writeNew } from './write.ts'

const FOLDER = 'src/mission/runners'

/** Scaffolds a kind of runner and its test. */
export function newRunner(name: string): readonly string[] {
  mustBeName(name, 'a runner')
  writeNew({
    [`${FOLDER}/${name}.ts`]: declaration(name),
    [`${FOLDER}/${name}.test.ts`]: proof(name),
  })
  return [
    `write ${FOLDER}/${name}.ts; describe keys that no runner has yet in src/workspace/config/missions.ts`,
    `replace ${FOLDER}/${name}.test.ts by a call of describeRunner in test/runner-suite.ts, which states what every runner does`,
    'npm run generate',
    `npx vitest run ${FOLDER}/${name}.test.ts`,
  ]
}

function declaration(name: string): string {
  return `import type { Assignment, Outcome, RunContext } from '../runner.ts'
import { startDeadline } from './deadline.ts'
import { failed } from './failure.ts'
import { defineRunner } from './kind.ts'

/** ${titleOf(name)}: what runs the agent. */
export default defineRunner({
  what: 'a ${name.replaceAll('-', ' ')}',
  needs: [],
  allows: ['seconds'],
  create: ({ seconds }) => ({
    run: (assignment, runContext) => run(assignment, runContext, seconds),
  }),
})

async function run(
  { budget }: Assignment,
  { signal }: RunContext,
  seconds: number | undefined,
): Promise<Outcome> {
  const over = startDeadline(seconds, budget, signal).ended()
  if (over) return over
  // Give the agent the assignment and the signal of the deadline, and return its answer unchecked.
  return failed('mission/runner-unavailable', 'this kind of runner is not written yet', false)
}
`
}

function proof(name: string): string {
  return `import { expect, test } from 'vitest'
import { assignmentOf } from '../../../test/runner-suite.ts'
import { runnerFor } from './index.ts'

test('${name} is named in the configuration, and says that it is not written yet', async () => {
  const missions = { orchestrator: 'o', roles: {}, runners: {} }
  const runner = await runnerFor({ runner: '${name}' }, missions)
  const { signal } = new AbortController()
  expect(await runner.run(assignmentOf(), { root: '/', environment: {}, signal })).toMatchObject({
    code: 'mission/runner-unavailable',
  })
})
`
}
