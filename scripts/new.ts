import { newArtifact } from './new/artifact.ts'
import { newContract } from './new/contract.ts'
import { newOperation } from './new/operation.ts'
import { newRule } from './new/rule.ts'
import { newRunner } from './new/runner.ts'
import { Refusal } from './new/write.ts'

const KINDS: Readonly<
  Record<string, (name: string) => readonly string[] | Promise<readonly string[]>>
> = {
  contract: newContract,
  artifact: newArtifact,
  rule: newRule,
  operation: newOperation,
  runner: newRunner,
}

const USAGE = `usage: npm run new contract <name>.v1
       npm run new artifact <name>.v1
       npm run new rule <contract>/<rule>
       npm run new operation <verb>
       npm run new runner <name>`

/** Scaffolds a contract, artifact table, rule, operation or runner, and prints the next steps. */
async function main([kind = '', name = '', ...rest]: readonly string[]): Promise<void> {
  const scaffold = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!scaffold || name === '' || rest.length > 0) throw new Refusal(USAGE)
  const next = await scaffold(name)
  console.error(`\nnext:\n${next.map(step => `  ${step}`).join('\n')}`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 2
}
