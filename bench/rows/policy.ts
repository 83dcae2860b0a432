import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { openPolicies } from '../../src/governance/index.ts'
import type { Figure } from '../figure.ts'
import { type Contender, median, race } from '../measure.ts'
import { root, type Stage } from '../stage.ts'
import { policyHandoff, writePolicies } from '../workloads/policies.ts'

const DECISIONS = 400

/** One uncached decision on a handoff, and the cost of the first one in a process. */
export async function policyDecisions(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of [20, 200]) {
    const folder = stage.folder(`policies-${count}`)
    writePolicies(folder, count)
    const [decided] = await race(stage.quick ? 3 : 15, [deciding(folder)])
    const [loaded] = await race(stage.quick ? 2 : 9, [loading(folder)])
    if (!decided || !loaded) continue
    const own = `${count} policies of its own`
    figures.push(
      { what: `policy decision with ${own}, p50`, unit: 'ms', ours: decided, ...target(count) },
      { what: `load ${own}, and decide once`, unit: 'ms', ours: loaded },
    )
  }
  return figures
}

const target = (count: number) =>
  count === 200 ? { target: { kind: 'at-most', limit: 1 } as const } : {}

/** The median of several hundred different decisions. */
function deciding(folder: string): Contender {
  const policies = openPolicies(folder, { policies: 'policies' }, { remember: false })
  let number = 0
  const run = () => {
    const times = Array.from({ length: DECISIONS }, () => {
      const request = policyHandoff(number++)
      const start = performance.now()
      const { decision } = policies.decide(request)
      const time = performance.now() - start
      if (decision !== 'allow') throw new Error('the handoff is not allowed')
      return time
    })
    return median(times)
  }
  return { name: 'waybill', run }
}

/** A separate process, since a process loads policies once. */
function loading(folder: string): Contender {
  const args = [join(root, 'bench/policy-load.ts'), folder]
  const run = () => Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  return { name: 'waybill', run }
}
