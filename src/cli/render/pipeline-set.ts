import type { App } from '../../operations/operation.ts'
import type { PipelineSetOutput } from '../../operations/pipeline-set/output.ts'
import type { Style } from '../parse.ts'
import { hang, pad, textWidth, widthOf } from './layout.ts'

/** The change and its consequences, and what may start now; or why it was refused. */
export function text(output: PipelineSetOutput, style: Style, _: App, quiet: boolean): string {
  if (!output.accepted) return refusal(output, style)
  const { address, from, to, changes, ready, file } = output
  if (changes.length === 0)
    return `${style('green', '✓')} ${address} is already ${to}; nothing written`
  const lines = [
    `${style('green', '✓')} ${style('bold', address)} ${from ?? 'no status'} → ${to}${style('dim', `  ${file}`)}`,
  ]
  if (quiet) return lines.join('\n')
  const own = (path: string) => path.endsWith('/status') && changes[0]?.path === path
  const others = changes.filter(({ path }) => !own(path))
  const width = Math.max(0, ...others.map(({ path }) => widthOf(path)))
  lines.push(
    ...others.map(({ path, from, to }) =>
      style('dim', `    ${pad(path, width)}  ${valueText(from)} → ${valueText(to)}`),
    ),
  )
  if (ready.length > 0)
    lines.push('', 'ready now', ...ready.map(({ address: a }) => `  ${style('cyan', '●')} ${a}`))
  return lines.join('\n')
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function refusal({ refused, file }: PipelineSetOutput, style: Style): string {
  const width = textWidth()
  return [
    ...refused.flatMap(({ code, message, hint }) => [
      `${style('red', 'refused')}${style('dim', `[${code}]`)}`,
      ...hang('  ', 2, message, width),
      ...hang('  fix: ', 7, hint, width),
    ]),
    '',
    style('dim', `${file} was not written`),
  ].join('\n')
}
