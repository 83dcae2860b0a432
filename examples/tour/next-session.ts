/** What a mission has come to, as far as the next session has to know of it. */
export interface Outcome {
  readonly mission: string
  readonly summary: string
  readonly open: readonly string[]
  /** Absent where nothing was approved. */
  readonly proposal: string | undefined
  /** What supports its claims: artifacts, files and lines of files. */
  readonly refs: readonly string[]
}

/** The handoff document by which the next session goes on from a mission. */
export function nextSession({ mission, summary, open, proposal, refs }: Outcome): string {
  const files = refs.flatMap(ref => /^[a-z]+\/[^#]+/.exec(ref)?.[0] ?? [])
  return `---
adr_id: ADR-0.3.0
branch: feature/quiet-hours
agent: coding-agent
session_id: night-messages-1
---

# What the mission on night messages found

## Current State Summary

${wrapped(summary)}

## Important Context

${item(`The mission is ${mission}; \`waybill mission show\` has all of its artifacts.`)}
${item('Its agents are programs that count and look up. What they leave open, nothing in the files answers.')}

## Decisions Made

${item('**The ticket is not changed by an agent.** The reviewer has proposed a comment, and a person decides on it. Rejected: to let the reviewer write it.')}

## Immediate Next Steps

1. ${proposal ? `Decide on the write-back ${proposal}` : 'Read why the review has let nothing out'}.
2. Answer what the mission has left open, beginning with the code.
3. Run the mission again, and see that nothing is open any more.

## Pending Work / Open Loops

${(open.length > 0 ? open : ['The mission has left nothing open.']).map(item).join('\n')}

## Verification Checklist

- [ ] The mission, run again, comes to the same numbers.

## Evidence / Artifacts

${[...new Set(files)]
  .sort()
  .map(file => item(`\`${file}\`: cited by the mission.`))
  .join('\n')}
`
}

const WIDTH = 76

function item(text: string): string {
  return `- ${wrapped(text).replaceAll('\n', '\n  ')}`
}

function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
