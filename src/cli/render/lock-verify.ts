import { counted, listed, spelled } from '../../contract/index.ts'
import type {
  LockFault,
  LockVerifyOutput,
  VerifiedAgent,
} from '../../operations/lock-verify/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth } from './layout.ts'

const COLORS = { error: 'red', warning: 'yellow', info: 'blue' } as const

/** The faults by agent, then the counts. */
export function text(output: LockVerifyOutput, style: Style, _: App, quiet: boolean): string {
  const wanted = (faults: readonly LockFault[]) =>
    quiet ? faults.filter(({ severity }) => severity === 'error') : faults
  const lines: string[] = []
  for (const agent of output.agents) {
    const faults = wanted(agent.diagnostics)
    if (faults.length > 0) lines.push(heading(agent, style), ...faultLines(faults, style), '')
  }
  const general = wanted(output.general)
  if (general.length > 0)
    lines.push(style('bold', 'manifest, lockfile and files'), ...faultLines(general, style), '')
  const excused = [output.manifest, output.lock].flatMap(({ path, suppressed }) =>
    suppressed.map(({ code, line, reason }) => `excused ${code} ${path}:${line}: ${reason}`),
  )
  if (!quiet) lines.push(...excused.map(line => style('dim', spelled(line))))
  return [...lines, verdict(output, style)].join('\n')
}

const WITHOUT_FILE = {
  listed: '',
  ambiguous: 'claimed by several agents of the manifest',
  unlisted: 'not in the manifest',
  unknown: '',
} as const

function heading({ id, manifest, type, file, sound }: VerifiedAgent, style: Style): string {
  const mark = sound ? style('green', '✓') : style('red', '✗')
  const about = type === null ? WITHOUT_FILE[manifest] : `${type}  ${file}`
  return `${mark} ${style('bold', spelled(id))}${style('dim', `  ${spelled(about)}`)}`
}

function faultLines(faults: readonly LockFault[], style: Style): string[] {
  const width = textWidth()
  return faults.flatMap(({ severity, code, message, hint, document, line, column }) => {
    const [first = '', ...rest] = hang('    ', 4, spelled(message), width)
    return [
      `    ${style(COLORS[severity], severity)}${style('dim', `[${code}]`)} ${style('cyan', `${spelled(document)}:${line}:${column}`)}`,
      first,
      ...rest,
      ...(hint === undefined ? [] : hang('    fix: ', 9, spelled(hint), width)),
    ]
  })
}

function verdict({ accepted, counts }: LockVerifyOutput, style: Style): string {
  const { from, agents, sound, errors, warnings, stray } = counts
  if (accepted) {
    const notes = [
      ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
      ...(stray > 0 ? [`${counted(stray, 'file')} not used by any agent`] : []),
    ]
    const rest = notes.length > 0 ? style('dim', ` (${notes.join('; ')})`) : ''
    return `${style('green', `✓ ${counted(agents, 'prompt')} verified`)}${rest}`
  }
  const kinds = (['changed', 'missing', 'unlocked', 'unlisted', 'differing'] as const)
    .filter(kind => counts[kind] > 0)
    .map(kind => `${counts[kind]} ${kind}`)
  const figures = [...(kinds.length > 0 ? [listed(kinds)] : []), counted(errors, 'error')].join(
    '; ',
  )
  const what =
    from === 'manifest' ? counted(agents, 'agent') : counted(agents, 'lock entry', 'lock entries')
  return `${style('red', `✗ ${sound} of ${what} verified`)} ${style('dim', `(${figures})`)}`
}
