import { relative, resolve } from 'node:path'
import { spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { UpgradedDocument, UpgradeOutput } from '../../operations/upgrade/output.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'

type Step = UpgradedDocument['steps'][number]

/** What became of each document, step by step, and what to do next. */
export function text({ documents }: UpgradeOutput, style: Style, app: App, quiet: boolean): string {
  const shown = quiet ? documents.filter(d => d.outcome === 'refused') : documents
  const lines = shown.flatMap(document => describe(document, style, app))
  const held = documents.some(d => d.outcome === 'refused')
  const waiting = documents.filter(d => d.outcome === 'upgradable').length
  if (waiting > 0 && held)
    lines.push('', style('yellow', 'nothing was written, since not all can be upgraded'))
  else if (waiting > 0 && !quiet)
    lines.push('', style('dim', 'nothing was written; --write replaces, --output <file> writes'))
  return lines.join('\n')
}

function describe(document: UpgradedDocument, style: Style, app: App): string[] {
  const { outcome, from, to, reason, diagnostics, steps, contract } = document
  const path = nameOf(document.path, app)
  const kind = contract ? style('dim', `  ${contract}`) : ''
  const frames = diagnostics.filter(d => d.severity !== 'info').map(d => frame(path, d, style))
  const told = steps.flatMap(step => describeStep(step, style))
  switch (outcome) {
    case 'current':
      return [`${style('green', '✓')} ${path} is of version ${to} already${kind}`]
    case 'refused':
      return [
        ...frames,
        `${style('red', '✗')} ${path} ${style('red', reason ?? '')}${kind}`,
        ...told,
      ]
    case 'upgradable':
      return [`${style('cyan', '→')} ${path} ${from} → ${to}${kind}`, ...told]
    case 'written': {
      const where = document.output === document.path ? '' : `, written to ${document.output}`
      return [`${style('green', '✓')} ${path} ${from} → ${to}${where}${kind}`, ...told]
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

/** Paths as the reader would type them. */
function nameOf(path: string, { cwd, root }: App): string {
  return spelled(relative(cwd, resolve(root, path)) || path)
}
