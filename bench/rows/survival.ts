import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAST_ROUND, roundDocument } from '../../conformance/rounds.ts'
import { openChain } from '../../conformance/waybill.ts'
import type { ScoreOutput } from '../../src/operations/score/output.ts'
import score from '../../src/operations/score.ts'
import type { Figure } from '../figure.ts'
import { root, type Stage } from '../stage.ts'
import { BUDGETS, METHODS, type Scores, survivalChart, survivalPage } from '../survival-page.ts'

/** What survives of the conformance kit's statements, round by round; writes the published page. */
export async function survival(stage: Stage): Promise<Figure[]> {
  const scores = await measure(stage.folder('survival'), stage.quick ? 5 : LAST_ROUND)
  if (!stage.quick) {
    const published = join(root, 'docs/reference/survival')
    writeFileSync(`${published}.md`, survivalPage(scores))
    writeFileSync(`${published}.svg`, survivalChart(scores))
    stage.note('wrote docs/reference/survival.md and survival.svg')
  }
  return BUDGETS.map(budget => {
    const last = scores.findLast(one => one.budget === budget)
    const share = ((last?.scores[0]?.survived ?? 0) / (last?.scores[0]?.inForce ?? 1)) * 100
    const what = `statements in a brief of ${budget} tokens after ${last?.round} rounds`
    return { what, unit: '%', ours: { name: 'waybill', times: [share] } }
  })
}

async function measure(folder: string, rounds: number): Promise<Scores> {
  const chain = openChain(folder)
  const scores: Scores[number][] = []
  const documents: string[] = []
  for (let round = 1; round <= rounds; round++) {
    await chain.handOver()
    documents.push(roundDocument(round))
    if (round === 1) continue
    for (const budget of BUDGETS) {
      const { brief } = await chain.brief(budget)
      const texts: Record<(typeof METHODS)[number], string> = {
        "Waybill's brief": brief ?? '',
        'newest document': documents.at(-1) ?? '',
        'all, newest first': documents.toReversed().join('\n'),
        'all, oldest first': documents.join('\n'),
      }
      const measured = METHODS.map(method => scoreOf(texts[method], round, budget))
      scores.push({ round, budget, scores: await Promise.all(measured) })
    }
  }
  return scores
}

function scoreOf(text: string, round: number, budget: number): Promise<ScoreOutput> {
  const against = 'conformance/statements.json'
  const stdin = async () => new TextEncoder().encode(text)
  return score.run(
    { file: '-', against, round, budget },
    { root, cwd: root, now: 0, version: '0.0.0', stdin },
  )
}
