import { relative, resolve } from 'node:path'
import { quote, spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type {
  ResumeCheck,
  ResumeDiagnostic,
  ResumeOutput,
  ResumeStep,
} from '../../operations/resume/output.ts'
import type { Style } from '../parse.ts'
import { indent, pad } from './layout.ts'

/** The steps, the diagnostics, and then the brief or the refusal. */
export function text(output: ResumeOutput, style: Style, app: App, quiet: boolean): string {
  if (quiet && output.brief !== null) return output.brief
  const lines = [
    ...heading(output, style, app),
    ...(quiet ? [] : [...output.steps.map(step => stepLine(step, style)), '']),
    ...passedOver(output, style, app),
    ...ranChecks(output.checks, style),
    ...output.diagnostics.flatMap(found => diagnostic(found, style, app)),
  ]
  if (lines.at(-1) === '') lines.pop()
  if (output.brief !== null) return [...lines, '', output.brief].join('\n')
  const verdict = style('red', '✗ cannot resume from this handoff yet')
  return [...lines, '', verdict].join('\n')
}

function heading({ handoff }: ResumeOutput, style: Style, app: App): string[] {
  if (!handoff) return []
  const { path, title } = handoff
  // Text of the document outside the brief is quoted.
  const about = title === null ? '' : style('dim', `  ${quote(title)}`)
  return [`${style('cyan', shown(path, app))}${about}`, '']
}

const SIGNS = {
  passed: ['green', '✓'],
  caution: ['yellow', '!'],
  refused: ['red', '✗'],
  'not-taken': ['dim', '·'],
} as const

const WIDEST_STEP = 'references'.length

function stepLine({ step, outcome, detail }: ResumeStep, style: Style): string {
  const [color, sign] = SIGNS[outcome]
  const words = `${pad(step, WIDEST_STEP)}  ${spelled(detail)}`.trimEnd()
  return `  ${style(color, sign)} ${outcome === 'not-taken' ? style('dim', words) : words}`
}

const MOST_PASSED_OVER = 5

function passedOver({ passedOver }: ResumeOutput, style: Style, app: App): string[] {
  if (passedOver.length === 0) return []
  const lines = passedOver.slice(0, MOST_PASSED_OVER).flatMap(({ path, errors, reasons }) => [
    `  ${style('red', '✗')} ${shown(path, app)}`,
    ...reasons.slice(0, 1).map(({ code, message, line }) => {
      const more = errors > 1 ? style('dim', ` (and ${errors - 1} more)`) : ''
      const where = line === undefined ? '' : `line ${line}: `
      return `    ${where}${spelled(message)} ${style('dim', `[${code}]`)}${more}`
    }),
  ])
  const more = passedOver.length - MOST_PASSED_OVER
  if (more > 0) lines.push(style('dim', `  … and ${more} more; --format json lists all of them`))
  return [style('bold', 'Newer, but not valid'), ...lines, '']
}

const CHECKED: Readonly<
  Record<ResumeCheck['outcome'], readonly ['green' | 'yellow' | 'red' | 'dim', string]>
> = {
  passed: ['green', '✓'],
  failed: ['red', '✗'],
  'timed-out': ['red', '✗'],
  refused: ['red', '✗'],
  declined: ['yellow', '!'],
  'not-run': ['dim', '·'],
}

/** The checklist, if any of its commands ran. */
function ranChecks(checks: readonly ResumeCheck[], style: Style): string[] {
  if (checks.every(({ outcome }) => outcome === 'not-run')) return []
  const lines = checks.flatMap(({ command, text, outcome, output }) => {
    const [color, sign] = CHECKED[outcome]
    const failed = outcome === 'failed' || outcome === 'timed-out'
    return [
      `  ${style(color, sign)} ${spelled(command === null ? text : `$ ${command}`)}`,
      ...(failed && output ? indent(output.split('\n'), 6).map(line => style('dim', line)) : []),
    ]
  })
  return [style('bold', 'Verification Checklist'), ...lines, '']
}

const COLORS = { error: 'red', warning: 'yellow', info: 'blue' } as const

function diagnostic(found: ResumeDiagnostic, style: Style, app: App): string[] {
  const { code, severity, message, hint, path, line } = found
  const where = path === undefined || line === undefined ? [] : [`  at ${shown(path, app)}:${line}`]
  return [
    `${style(COLORS[severity], severity)}${style('dim', `[${code}]`)} ${spelled(message)}`,
    ...where.map(text => style('cyan', text)),
    // Hints hold commands to copy, so they are not wrapped.
    ...(hint === undefined ? [] : [`  fix: ${spelled(hint)}`]),
  ]
}

/** The path relative to the working directory. */
function shown(path: string, { cwd, root }: App): string {
  return spelled(relative(cwd, resolve(root, path)) || path)
}
