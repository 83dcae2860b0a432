import type { App } from '../../operations/operation.ts'
import { setCommand } from '../../operations/pipeline/set-command.ts'
import type { PipelineNextOutput } from '../../operations/pipeline-next/output.ts'
import type { Style } from '../parse.ts'
import { faultLines, markOf, reasonLines } from './pipeline.ts'

/** What may start, with the files it reads and writes; or why nothing may. */
export function text(output: PipelineNextOutput, style: Style, app: App, quiet: boolean): string {
  const { file, agents, barriers, diagnostics } = output
  if (quiet) return [...agents, ...barriers].map(({ address }) => address).join('\n')
  const blocks = [
    faultLines(file, diagnostics, style),
    ...agents.map(agent => agentLines(agent, style)),
    ...barriers.map(barrier => barrierLines(barrier, style)),
    [...agents, ...barriers].length === 0
      ? nothingLines(output, style)
      : doLines(output, style, app),
  ]
  return blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')
}

function agentLines(agent: PipelineNextOutput['agents'][number], style: Style): string[] {
  const { address, title, input, output, artifact } = agent
  const files = [
    ['reads', input],
    ['writes', output],
    ['writes', artifact],
  ].flatMap(([word, path]) =>
    path ? [`    ${style('dim', `${word}  `.slice(0, 7).padEnd(7))} ${path}`] : [],
  )
  return [
    `${markOf('ready', style)} ${style('bold', address)}${title ? `  ${style('dim', title)}` : ''}`,
    ...files,
  ]
}

function barrierLines(barrier: PipelineNextOutput['barriers'][number], style: Style): string[] {
  const { address, title, artifacts } = barrier
  return [
    `${markOf('ready', style)} ${style('bold', address)}  ${style('dim', ['barrier', title].filter(Boolean).join(': '))}`,
    ...artifacts.map(path => `    ${style('dim', 'hands over')} ${path}`),
  ]
}

function doLines({ file, agents, barriers }: PipelineNextOutput, style: Style, app: App): string[] {
  const set = setCommand(file, app)
  const [agent] = agents
  const command = agent
    ? set(agent.address, 'IN_PROGRESS')
    : set(barriers[0]?.address ?? '', 'COMPLETE')
  return [style('dim', `${command} ${agent ? 'when it starts' : 'when everything is handed over'}`)]
}

function nothingLines(output: PipelineNextOutput, style: Style): string[] {
  const { accepted, complete, running, stuck, file } = output
  if (!accepted) return ['nothing may start until the errors are fixed']
  if (complete) return [`${style('green', '✓')} everything in ${file} is done`]
  return [
    running.length > 0 ? 'nothing else may start now' : `${style('yellow', '■')} nothing may start`,
    ...running.map(address => `  ${markOf('running', style)} ${address} is running`),
    ...stuck.flatMap(({ address, state, reasons }) => [
      `  ${markOf(state, style)} ${address}`,
      ...reasonLines(reasons, style, 4),
    ]),
  ]
}
