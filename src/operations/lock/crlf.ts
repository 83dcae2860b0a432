import { type Agents, readPrompt } from '../../contracts/index.ts'
import type { LockDiff, PromptFiles } from '../../governance/index.ts'

/** The prompts that are pinned anew by bytes with CRLF line ends: Git gives others the same text with LF. */
export function pinnedWithCrlf(
  manifestPath: string,
  diff: LockDiff,
  agents: Agents,
  prompts: PromptFiles,
): string[] {
  const changed = diff.changed.filter(({ parts }) => parts.some(({ part }) => part === 'hash'))
  return [...diff.added, ...changed].flatMap(({ id }) => {
    const file = agents.find(id)?.file
    const prompt = file === undefined ? undefined : readPrompt(manifestPath, file, prompts)
    if (prompt === undefined || 'fault' in prompt) return []
    return prompts.sha256OfLines?.(prompt.path, 'LF') === prompt.hash ? [] : [prompt.path]
  })
}
