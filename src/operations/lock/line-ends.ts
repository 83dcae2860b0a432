import { type Agents, readPrompt } from '../../contracts/index.ts'
import type { LockDiff, PromptFiles } from '../../governance/index.ts'
import { checkedOutAs } from '../../workspace/index.ts'
import type { LockOutput } from './output.ts'

/** Returns changed prompts whose locked line ends Git may convert on other machines. */
export function doubtfulLineEnds(
  root: string,
  { diff, prompts }: { readonly diff: LockDiff; readonly prompts: PromptFiles },
  manifest: { readonly path: string; readonly agents: Agents },
): LockOutput['lineEnds'] {
  const changed = diff.changed.filter(({ parts }) => parts.some(({ part }) => part === 'hash'))
  const found = [...diff.added, ...changed].flatMap(({ id }) => {
    const file = manifest.agents.find(id)?.file
    const prompt = file === undefined ? undefined : readPrompt(manifest.path, file, prompts)
    if (prompt === undefined || 'fault' in prompt) return []
    const { path, hash } = prompt
    if (prompts.sha256OfLines?.(path, 'LF') === hash) return []
    const ends = prompts.sha256OfLines?.(path, 'CRLF') === hash ? 'CRLF' : 'mixed'
    return [{ path, ends } as const]
  })
  const rules = checkedOutAs(
    root,
    found.map(({ path }) => path),
  )
  return found.flatMap(({ path, ends }) => {
    const checkout = rules.get(path) ?? null
    if (checkout === 'as committed' || checkout === ends) return []
    return [{ path, ends, checkout }]
  })
}
