import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import data from './statements.json' with { type: 'json' }

/** The number of the last round. */
export const LAST_ROUND = 50

type Entry = (typeof data.statements)[number] & {
  readonly done?: number
  readonly supersedes?: string
  readonly by?: string
}
const entries: readonly Entry[] = data.statements

/**
 * What the author of a round hands over, as Markdown with the sections of a handoff document.
 *
 * Authors restate nothing: they write the statements of their round, what they finished, and news.
 */
export function roundDocument(round: number): string {
  const stated = (kind: string) => entries.filter(e => e.kind === kind && e.round === round)
  const done = entries.filter(entry => entry.done === round).map(({ text }) => `- [x] ${text}`)
  const rules = stated('rule').map(item)
  const facts = [
    ...stated('fact').map(item),
    ...(rules.length > 0 ? ['', '### Standing Rules', '', ...rules] : []),
  ]
  const steps = stated('step').map(({ text }, i) => `${i + 1}. ${text}`)
  const loops = [...stated('loop').map(({ text }) => `- ${text}`), ...done]
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      'Current State Summary',
      [`Session ${round} is finished; its work is merged.`, '', ...news(round)],
    ],
    ['Important Context', facts.length > 0 ? facts : ['None.']],
    ['Decisions Made', orNone(stated('decision').map(item))],
    ...(steps.length > 0 ? [['Immediate Next Steps', steps] as const] : []),
    ...(loops.length > 0 ? [['Pending Work / Open Loops', loops] as const] : []),
    ['Verification Checklist', [`- [ ] The build of session ${round} is green.`]],
    ['Evidence / Artifacts', ['None but this text.']],
  ]
  const parts = sections.map(([title, lines]) => `## ${title}\n\n${lines.join('\n').trim()}\n`)
  return `# Session ${round}\n\n${parts.join('\n')}`
}

function item({ id, text, supersedes, by }: Entry): string {
  const person = by === undefined ? '' : `, by ${by}`
  return `- ${id}: ${text}${supersedes === undefined ? '' : ` (supersedes ${supersedes}${person})`}`
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ['None.']
}

/** Six of the paragraphs, beginning with another one in each round. */
function news(round: number): string[] {
  const start = round * 5
  return Array.from({ length: 6 }, (_, i) => data.news[(start + i) % data.news.length] ?? '')
}

/** Writes the documents of the first rounds into a folder: `node conformance/rounds.ts 12 rounds`. */
if (import.meta.main) {
  const [count = '', folder = ''] = process.argv.slice(2)
  if (!/^[1-9][0-9]?$/.test(count) || Number(count) > LAST_ROUND || folder === '') {
    process.stderr.write(
      `Usage: node conformance/rounds.ts <rounds, 1 to ${LAST_ROUND}> <folder>\n`,
    )
    process.exit(2)
  }
  mkdirSync(folder, { recursive: true })
  for (let round = 1; round <= Number(count); round++)
    writeFileSync(join(folder, `${String(round).padStart(2, '0')}.md`), roundDocument(round))
}
