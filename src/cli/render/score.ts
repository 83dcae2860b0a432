import { counted, spelled } from '../../contract/index.ts'
import type { ScoreOutput } from '../../operations/score/output.ts'
import type { Style } from '../parse.ts'

const PLURALS = {
  rule: 'rules',
  decision: 'decisions',
  fact: 'facts',
  loop: 'open loops',
  step: 'next steps',
} as const

/** Survival by kind, what is missing or stale, and the verdict. */
export function text(output: ScoreOutput, style: Style): string {
  const { path, round, tokens, tokensPerSurvivor: each, inForce, survived } = output
  const { kinds, missing, stale, accepted } = output
  const price = each === null ? '' : `, ${each} per surviving statement`
  const row = (name: string, words: string) => `  ${name.padEnd(12)}${words}`
  const lost = missing.map(({ id, text }) => `  ${style('red', 'missing')} ${said(id, text)}`)
  const old = stale.shown.map(
    ({ id, text, line }) =>
      `  ${style('red', 'stale')}   ${said(id, text)} ${style('dim', `line ${line}`)}`,
  )
  const list = [...lost, ...old]
  return [
    `${style('bold', spelled(path))}: ${survived} of ${inForce} statements after round ${round}, ${counted(tokens, 'token')}${price}`,
    '',
    ...kinds
      .filter(kind => kind.inForce > 0)
      .map(kind => row(PLURALS[kind.kind], `${kind.survived} of ${kind.inForce}`)),
    row('stale', `${stale.shown.length} of ${stale.known} shown as current`),
    ...(list.length > 0 ? ['', ...list] : []),
    '',
    accepted
      ? style('green', '✓ every rule is there, and nothing stale is shown as current')
      : style('red', `✗ ${faults(output)}`),
  ].join('\n')
}

function said(id: string, text: string): string {
  return `${spelled(id)}  ${spelled(text.replace(/\s+/g, ' '))}`
}

function faults({ missing, stale }: ScoreOutput): string {
  const rules = missing.filter(({ kind }) => kind === 'rule').length
  return [
    ...(rules > 0 ? [`${counted(rules, 'rule')} missing`] : []),
    ...(stale.shown.length > 0
      ? [`${counted(stale.shown.length, 'stale statement')} shown as current`]
      : []),
  ].join(', ')
}
