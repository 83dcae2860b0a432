/** A program of Node that notes in its folder that it has begun, keeps its input, and then does something. */
export function agentProgram(then: string): string {
  return `import { appendFileSync } from 'node:fs'
appendFileSync('begun', '1')
process.stdin.on('data', chunk => appendFileSync('received', chunk))
${then}
`
}
