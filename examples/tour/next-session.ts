import { existsSync } from 'node:fs'

/** The outcome of a mission for the next session. */
export interface Outcome {
  readonly mission: string
  readonly summary: string
  readonly open: readonly string[]
  /** Absent if nothing was approved. */
  readonly proposal: string | undefined
  /** The evidence of its claims: artifacts, files and lines of files. */
  readonly refs: readonly string[]
  /** A sentence about the agents. */
  readonly agents: string
}

/** The handoff document from which the next session continues after a mission. */
export function nextSession({ mission, summary, open, proposal, refs, agents }: Outcome): string {
  const cited = refs.flatMap(ref => /^[a-z]+\/[^#`\s]+/.exec(ref)?.[0] ?? []).filter(isFile)
  const files = cited.length > 0 ? cited : ['missions/templates/night-messages.yaml']
  return `---
adr_id: ADR-0.3.0
branch: feature/quiet-hours
agent: coding-agent
session_id: night-messages-1
---

# What the mission on night messages found

## Current State Summary

${wrapped(plain(summary) || 'The mission has no result.')}

## Important Context

${item(`The mission is ${mission}; \`waybill mission show\` has all of its artifacts.`)}
${item(agents)}

## Decisions Made

${item('**The ticket is not changed by an agent.** The reviewer has proposed a comment, and a person decides on it. Rejected: to let the reviewer write it.')}

## Immediate Next Steps

1. ${proposal ? `Decide on the write-back ${proposal}` : 'Read why the review approved nothing'}.
2. Answer what the mission has left open, beginning with the code.
3. Run the mission again, and see that nothing is open any more.

## Pending Work / Open Loops

${(open.length > 0 ? open : ['The mission has left nothing open.']).map(one => item(plain(one))).join('\n')}

## Verification Checklist

- [ ] The mission, run again, comes to the same numbers.

## Evidence / Artifacts

${[...new Set(files)]
  .sort()
  .map(file =>
    item(`\`${file}\`: ${cited.length > 0 ? 'cited by the mission' : 'what was asked'}.`),
  )
  .join('\n')}
`
}

/** A model may cite missing files. */
function isFile(path: string): boolean {
  return !path.includes('..') && existsSync(new URL(`../nudge/${path}`, import.meta.url))
}

/** Removes markup and placeholders from the words of an agent, so that the document passes the check. */
function plain(text: string): string {
  const words = text
    .replaceAll(/[#`<>*_[\]|\\{}\s]+/g, ' ')
    .replaceAll(/\b(?:TBD|TODO|FIXME)\b/gi, 'open')
  return words.replaceAll(/[.]{3}|…/g, '.').trim()
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
