import { openPolicies } from '../src/governance/index.ts'
import { policyHandoff } from './workloads/policies.ts'

/** Opens the policies of a folder in a process that has none yet, decides once, and prints the milliseconds it took. */
const start = performance.now()
const [root = '.'] = process.argv.slice(2)
const { decision } = openPolicies(root, { policies: 'policies' }).decide(policyHandoff(0))
if (decision !== 'allow') throw new Error('the handoff is not allowed')
console.log(performance.now() - start)
