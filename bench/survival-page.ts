import type { ScoreOutput } from '../src/operations/score/output.ts'
import { drawLines } from './line-chart.ts'

/** The budgets, in tokens. */
export const BUDGETS = [500, 1000, 2000, 4000] as const
/** What is compared. */
export const METHODS = [
  "Waybill's brief",
  'newest document',
  'all, newest first',
  'all, oldest first',
] as const
/** The rounds that the tables show. */
const SHOWN = [2, 3, 5, 8, 12, 20, 50]

/** The scores of each round and budget, one per method, by round. */
export type Scores = readonly {
  readonly round: number
  readonly budget: number
  readonly scores: readonly ScoreOutput[]
}[]

/** The page for `docs/reference`. */
export function survivalPage(scores: Scores): string {
  const last = scores.at(-1)?.round ?? 0
  return `${[
    HEAD,
    `## The cliff\n\nThe first round after which a statement in force is missing, and after which a rule is.`,
    table(
      ['Budget', ...METHODS],
      BUDGETS.map(budget => [
        `${budget} tokens`,
        ...METHODS.map((_, i) => cliff(scores, budget, i)),
      ]),
    ),
    ...BUDGETS.flatMap(budget => [
      `## ${budget} tokens`,
      table(
        ['Round', ...METHODS],
        of(scores, budget)
          .filter(({ round }) => SHOWN.includes(round))
          .map(({ round, scores }) => [String(round), ...scores.map(cell)]),
      ),
    ]),
    `## By kind, after ${last} rounds\n\nWaybill's brief:`,
    table(
      ['Budget', 'Rules', 'Decisions', 'Facts', 'Open loops', 'Next steps'],
      BUDGETS.map(budget => [
        `${budget} tokens`,
        ...(of(scores, budget).at(-1)?.scores[0]?.kinds ?? []).map(
          ({ survived, inForce }) => `${survived} of ${inForce}`,
        ),
      ]),
    ),
  ].join('\n\n')}\n`
}

/** The same as curves. */
export function survivalChart(scores: Scores): string {
  const panels = BUDGETS.map(budget => ({
    title: `${budget} tokens`,
    lines: METHODS.map((name, i) => ({
      name,
      points: of(scores, budget).map(one => [one.round, share(one.scores[i])] as const),
    })),
  }))
  return drawLines('Statements in force that the next agent reads', 'rounds', panels)
}

function of(scores: Scores, budget: number): Scores {
  return scores.filter(one => one.budget === budget)
}

function share(score: ScoreOutput | undefined): number {
  return score ? (score.survived / score.inForce) * 100 : 0
}

function cell(score: ScoreOutput): string {
  const rules = score.kinds.find(({ kind }) => kind === 'rule')
  const price = score.tokensPerSurvivor ?? '–'
  return `${Math.floor(share(score))} %, rules ${rules?.survived} of ${rules?.inForce}, ${score.stale.shown.length} stale, ${price}`
}

function cliff(scores: Scores, budget: number, method: number): string {
  const first = (isOver: (score: ScoreOutput) => boolean) =>
    of(scores, budget).find(({ scores }) => scores[method] && isOver(scores[method]))?.round ??
    'none'
  const any = first(({ missing }) => missing.length > 0)
  return `${any}; rules: ${first(({ missing }) => missing.some(({ kind }) => kind === 'rule'))}`
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n')
}

const HEAD = `# Survival over rounds of handoffs

Written by \`npm run bench -- --only survival\`; do not edit.

Fifty authors hand a project over, one after the other. Each restates nothing and writes only its own news, as sessions
do. After each round, the [conformance kit](../../conformance/README.md) counts which statements in force the next agent
reads, word for word, within a budget (a token is 3.5 bytes). No model takes part, so every run gives the same figures.

![Survival by round, at four budgets](survival.svg)

- **Waybill's brief**: each round is written with \`waybill new\`, then \`waybill brief --budget\` runs.
- **newest document**: what the last author wrote, cut at the budget.
- **all, newest first** and **all, oldest first**: what all authors wrote, cut at the budget.

A cell shows the statements in force that survive, the rules among them, stale statements shown as current, and tokens
per surviving statement.`
