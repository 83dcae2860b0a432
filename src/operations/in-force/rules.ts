import { standingRules } from '../../session/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Returns the rules in force after the newest handoff document, word for word. */
export async function rulesInForce({ root }: App): Promise<readonly string[]> {
  const rules = await standingRules(root, await loadConfig(root))
  return rules.map(({ text }) => text)
}
