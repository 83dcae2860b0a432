import { execFileSync } from 'node:child_process'
import brief from '../src/operations/brief.ts'
import create from '../src/operations/new.ts'
import type { App } from '../src/operations/operation.ts'
import { roundDocument } from './rounds.ts'

/** Waybill as the measured tool: a repository in which each round is handed over. */
export interface Chain {
  /** Writes the handoff of the next round with `waybill new`, and returns its text. */
  handOver(): Promise<string>
  /** Runs `waybill brief`; the brief is null when a rule does not fit. */
  brief(budget?: number): ReturnType<typeof brief.run>
}

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 5, 9)

/** Starts a chain in an empty folder; each round takes an hour. */
export function openChain(root: string): Chain {
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root })
  let round = 0
  const app = (text = ''): App => ({
    ...{ root, cwd: root, version: '0.0.0', now: START + round * HOUR },
    stdin: async () => new TextEncoder().encode(text),
  })
  return {
    async handOver() {
      round++
      const given = { contract: 'handoff-document', from: '-', agent: `agent-${round}` }
      const output = await create.run(
        { ...given, adr: 'ADR-0.1.0', slug: 'session' },
        app(roundDocument(round)),
      )
      const { text, accepted, diagnostics } = output
      if (text === null || !accepted)
        throw new Error(
          `round ${round} was refused: ${JSON.stringify([output.missing, diagnostics])}`,
        )
      return text
    },
    brief: budget => brief.run(budget === undefined ? {} : { budget }, app()),
  }
}
