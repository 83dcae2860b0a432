import { type Random, seeded, timeOf } from './random.ts'

const SIZE = 7_500
const IN_A_FOLDER = 100
/** Documents in a row that carry each other on. */
const CHAIN = 4
const SOURCES = 60

/** A handoff document with its place in the repository. */
export interface Handoff {
  readonly path: string
  readonly text: string
}

/** Files that the evidence of handoff documents names, with what stands in them. */
export const EVIDENCE_FILES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: SOURCES }, (_, i) => [
    evidencePath(i),
    `export const part${i} = ${i}\n// The body does not matter here.\n`,
  ]),
)

function evidencePath(number: number): string {
  return `src/part-${number % 10}/module-${number}.ts`
}

/** A handoff document of about 7.5 KB with every section; three of four carry on the one before. */
export function handoffDocument(number: number): Handoff {
  const continues = number % CHAIN !== 0
  return write(number, continues ? referenceTo(number - 1, number) : undefined)
}

/** The same, but every document carries on the one before: one lineage as long as there are documents. */
export function linkedHandoff(number: number): Handoff {
  return write(number, number === 0 ? undefined : referenceTo(number - 1, number))
}

function placeOf(number: number): string {
  const name = timeOf(number).replaceAll(':', '-')
  return `docs/adr/ADR-0.${folderOf(number)}.0/handoffs/${name}-step.md`
}

/** From the folder above `handoffs/` where both stand in it, else from the root. */
function referenceTo(predecessor: number, number: number): string {
  const place = placeOf(predecessor)
  const isNear = folderOf(predecessor) === folderOf(number)
  return isNear ? place.slice(place.indexOf('handoffs/')) : place
}

function folderOf(number: number): number {
  return Math.floor(number / IN_A_FOLDER)
}

function write(number: number, predecessor: string | undefined): Handoff {
  const random = seeded(number)
  let decisions = decision(random)
  let text = compose(number, seeded(number), decisions, predecessor)
  while (text.length < SIZE) {
    decisions += decision(random)
    text = compose(number, seeded(number), decisions, predecessor)
  }
  return { path: placeOf(number), text }
}

function decision(random: Random): string {
  return `- **${random.sentence()}** ${random.sentence()}\n  Rejected: ${random.sentence()}\n`
}

function compose(
  number: number,
  random: Random,
  decisions: string,
  predecessor: string | undefined,
): string {
  const items = (count: number, line: () => string) => Array.from({ length: count }, line).join('')
  return `---
mode: ${predecessor ? 'RESUME' : 'CREATE'}
adr_id: ADR-0.${folderOf(number)}.0
branch: main
timestamp: "${timeOf(number)}"
agent: claude-code
obpi_id: OBPI-0.${folderOf(number)}.0-0${random.below(9) + 1}
session_id: session-${random.hex(6)}
${predecessor ? `continues_from: ${predecessor}\n` : ''}---

<!-- Written at the end of the session. -->

# Handoff: ${random.sentence()}

## Current State Summary

${random.sentences(6)}

${random.sentences(5)}

## Important Context

${items(6, () => `- ${random.sentences(2)} See \`src/part-${random.below(10)}\`.\n`)}
## Decisions Made

${decisions}
## Immediate Next Steps

${[1, 2, 3, 4].map(n => `${n}. ${random.sentence()}\n`).join('')}
## Pending Work / Open Loops

${items(5, () => `- ${random.sentences(2)}\n`)}
## Verification Checklist

${items(4, () => `- [ ] \`npx vitest run src/part-${random.below(10)}\` reports ${random.below(90)} tests\n`)}
\`\`\`sh
git log -1 --format=%h    # ${random.hex(7)}
\`\`\`

## Evidence / Artifacts

${items(6, () => `- \`${evidencePath(random.below(SOURCES))}:${random.below(2) + 1}\`: ${random.sentence()}\n`)}
## Environment State

${random.sentences(3)}
`
}
