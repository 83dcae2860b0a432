import { relative, resolve } from 'node:path'
import { spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { UpgradedDocument, UpgradeOutput } from '../../operations/upgrade/output.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'

type Step = UpgradedDocument['steps'][number]

/** The outcome and steps of each document, and what to do next. */
export function text({ documents }: UpgradeOutput, style: Style, app: App, quiet: boolean): string {
  const shown = quiet ? documents.filter(d => d.outcome === 'refused') : documents
  const lines = shown.flatMap(document => describe(document, style, app))
  const isRefused = documents.some(d => d.outcome === 'refused')
  const waiting = documents.filter(d => d.outcome === 'upgradable').length
  if (waiting > 0 && isRefused)
    lines.push('', style('yellow', 'nothing written: not all documents can be upgraded'))
  else if (waiting > 0 && !quiet)
    lines.push(
      '',
      style('dim', 'nothing written; replace with --write, or write a copy with --output <file>'),
    )
  return lines.join('\n')
}

function describe(document: UpgradedDocument, style: Style, app: App): string[] {
  const { outcome, from, to, reason, diagnostics, steps, contract } = document
  const path = nameOf(document.path, app)
  const kind = contract ? style('dim', `  ${contract}`) : ''
  const frames = diagnostics.filter(d => d.severity !== 'info').map(d => frame(path, d, style))
  const changes = steps.flatMap(step => describeStep(step, style))
  switch (outcome) {
    case 'current':
      return [`${style('green', '✓')} ${path} is already version ${to}${kind}`]
    case 'refused':
      return [
        ...frames,
        `${style('red', '✗')} ${path} ${style('red', reason ?? '')}${kind}`,
        ...changes,
      ]
    case 'upgradable':
      return [`${style('cyan', '→')} ${path} ${from} → ${to}${kind}`, ...changes]
    case 'written': {
      const where = document.output === document.path ? '' : `, written to ${document.output}`
      return [`${style('green', '✓')} ${path} ${from} → ${to}${where}${kind}`, ...changes]
    }
  }
}

function describeStep({ from, to, summary, added, changed, moved, lost }: Step, style: Style) {
  return [
    `  ${from} → ${to}  ${summary}`,
    ...added.map(path => `    ${style('green', '+')} ${path}`),
    ...changed.map(path => `    ${style('yellow', '~')} ${path}`),
    ...moved.map(move => `    ${style('cyan', '→')} ${move.from} is now ${move.to}`),
    ...lost.map(({ path, why }) => `    ${style('red', '-')} ${path} ${style('dim', `(${why})`)}`),
  ]
}

/** The path relative to the working directory. */
function nameOf(path: string, { cwd, root }: App): string {
  return spelled(relative(cwd, resolve(root, path)) || path)
}
