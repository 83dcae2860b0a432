import { resolve } from 'node:path'
import { decode, MOST_BYTES, maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { type ScoredStatement, scoreText, standingAt } from '../session/index.ts'
import { cannotRead, readOwnFile } from '../workspace/index.ts'
import { BYTES_A_TOKEN, tokensOf } from './brief/fit.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import type { ScoreOutput } from './score/output.ts'
import { statementsIn } from './score/statements.ts'

const input = {
  type: 'object',
  required: ['file', 'against'],
  properties: {
    file: {
      type: 'string',
      positional: true,
      path: true,
      description: 'The text that the next agent would read; - reads standard input.',
    },
    against: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The statements with their rounds, as JSON or YAML.',
    },
    round: {
      type: 'integer',
      placeholder: 'number',
      description: 'The round that the text was made after (default: the last one).',
    },
    budget: {
      type: 'integer',
      placeholder: 'tokens',
      description: 'Read only so many tokens of the text; a token is 3.5 bytes (default: all).',
    },
  },
} as const

/** Measures what a text kept of the statements that hold. */
export default defineOperation({
  name: 'score',
  summary: 'Measure which statements survived in a brief, summary or handoff',
  description:
    'Looks in any text for the rules, decisions, facts, open loops and next steps that hold after a round, in their own ' +
    'words: white space, Markdown marks and quote marks do not matter. Reports those that are missing, stale ones that ' +
    'are shown as current, and tokens per surviving statement. A stale statement is excused where its item, paragraph or ' +
    'heading says that it ended. Uses no model and writes nothing. Exits with 1 when a rule is missing or a stale ' +
    'statement is shown as current.',
  examples: [
    {
      command: 'waybill brief | waybill score - --against conformance/statements.json',
      does: 'measure the brief of this repository',
    },
    {
      command: 'waybill score summary.md --against statements.json --round 12 --budget 1000',
      does: 'measure the first 1,000 tokens of a summary made after round 12',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: score,
  failed: ({ accepted }) => !accepted,
})

async function score(given: TypeOf<typeof input>, app: App): Promise<ScoreOutput> {
  const { file, against, budget = null } = given
  if (file === '-' && against === '-')
    throw new WaybillError('usage', 'only one of the two can be read from standard input', {
      hint: 'name a file for the other one',
    })
  const statements = await statementsIn(against, await bytesOf(against, app))
  const round = given.round ?? lastRound(statements)
  for (const [name, number] of [
    ['round', round],
    ['budget', budget ?? 1],
  ] as const)
    if (!Number.isSafeInteger(number) || number < 1)
      throw new WaybillError('usage', `--${name} must be a whole number from 1`)
  const whole = decode(await bytesOf(file, app)).text
  const text = budget === null ? whole : startOf(whole, budget)
  const standing = standingAt(statements, round)
  const { kinds, missing, stale } = scoreText(text, standing)
  const inForce = standing.inForce.length
  const survived = inForce - missing.length
  const tokens = tokensOf(text)
  return {
    ...{ path: file, against, round, budget, tokens, inForce, survived, kinds },
    tokensPerSurvivor: survived === 0 ? null : Math.round((tokens / survived) * 10) / 10,
    missing: missing.map(shown),
    stale: {
      known: standing.stale.length,
      shown: stale.map(({ statement, line }) => ({ ...shown(statement), line })),
    },
    accepted: stale.length === 0 && !missing.some(({ kind }) => kind === 'rule'),
  }
}

function lastRound(statements: readonly ScoredStatement[]): number {
  return Math.max(...statements.map(({ round, done = 1 }) => Math.max(round, done)))
}

function shown({ id, kind, text }: ScoredStatement) {
  return { id: maskSecrets(id), kind, text: maskSecrets(text) }
}

/** Returns the beginning of a text that fits into a budget; a character is never cut in two. */
function startOf(text: string, budget: number): string {
  const bytes = Buffer.from(text)
  const most = Math.floor(budget * BYTES_A_TOKEN)
  if (bytes.length <= most) return text
  return bytes
    .subarray(0, most)
    .toString()
    .replace(/\ufffd+$/, '')
}

async function bytesOf(name: string, { cwd, stdin }: App): Promise<Uint8Array> {
  if (name === '-') return stdin()
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(resolve(cwd, name), MOST_BYTES)
  } catch (cause) {
    throw cannotRead(name, cause)
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `${name} does not exist`, {
    hint: 'name a file, or - for standard input',
  })
}
