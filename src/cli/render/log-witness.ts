import { counted, spelled } from '../../contract/index.ts'
import type { AskedWitness, LogWitnessOutput } from '../../operations/log-witness/output.ts'
import type { ServeEvent } from '../../operations/log-witness/serve.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth } from './layout.ts'

type AsLog = Extract<LogWitnessOutput, { role: 'log' }>
type AsWitness = Extract<LogWitnessOutput, { role: 'witness' }>
type Fault = NonNullable<AskedWitness['fault']>

/** The cosignatures and whether they meet the quorum; as a witness, only the cosignature. */
export function text(output: LogWitnessOutput, style: Style, _: App, quiet: boolean): string {
  return output.role === 'log' ? asked(output, style, quiet) : answered(output, style)
}

function asked(output: AsLog, style: Style, quiet: boolean): string {
  const { size, origin, quorum, met, published, policy } = output
  const witnesses = output.witnesses.flatMap(one =>
    quiet && !one.fault ? [] : witness(one, style),
  )
  const entries = counted(size, 'entry', 'entries')
  const what = `the quorum '${spelled(quorum)}' of ${spelled(policy)} is`
  const verdict = met
    ? style('green', `✓ ${what} met for ${entries} of ${spelled(origin)}`)
    : style('red', `✗ ${what} not met for ${entries} of ${spelled(origin)}`)
  const grown = published
    ? []
    : hang(
        `${style('yellow', '!')} `,
        2,
        'the log has grown: these cosignatures were not published with it; ask again, or keep the note (--format json)',
        textWidth(),
      )
  return [...witnesses, ...grown, verdict].join('\n')
}

function witness({ name, key, cosigned, fault }: AskedWitness, style: Style): string[] {
  const mark = cosigned === null ? style('red', '✗') : style('green', '✓')
  const when = cosigned === null ? 'has not cosigned' : `cosigned at ${cosigned}`
  const head = `${mark} ${spelled(name)} ${when} ${style('dim', spelled(key))}`
  return [head, ...(fault ? inFull(fault, style) : [])]
}

function inFull({ code, message, why, hint }: Fault, style: Style): string[] {
  const width = textWidth()
  return [
    ...hang(`  ${style('red', 'error')}${style('dim', `[${code}]`)} `, 2, spelled(message), width),
    ...hang('  why: ', 7, why, width),
    ...hang('  fix: ', 7, hint, width),
  ]
}

function answered({ line, fault, origin, cosigned, recorded }: AsWitness, style: Style): string {
  if (line !== null) return line
  const kept = cosigned === null ? 'nothing' : counted(cosigned, 'entry', 'entries')
  return [
    `${style('red', '✗')} ${spelled(origin ?? 'the request')} is not cosigned; cosigned so far: ${kept}`,
    ...(fault ? inFull(fault, style) : []),
    ...(recorded === null ? [] : [style('dim', `  recorded as entry ${recorded}`)]),
  ].join('\n')
}

/** The address and key of the witness, then one line per answer. */
export function part(event: ServeEvent, style: Style): string {
  if (event.event === 'listening') {
    return [
      `${style('green', '✓')} answering at ${event.url} as a witness of ${counted(event.logs.length, 'log')}`,
      `  key ${event.key}`,
      ...event.logs.map(origin => style('dim', `  log ${spelled(origin)}`)),
    ].join('\n')
  }
  const { at, status, code, origin, size, recorded } = event
  const mark = status === 200 ? style('green', '✓') : style('red', '✗')
  const what = origin === null ? 'invalid request' : spelled(`${origin} ${size ?? ''}`)
  const rest = recorded === null ? '' : `, recorded as entry ${recorded}`
  return `${mark} ${at} ${status} ${what}${code === null ? '' : ` ${code}`}${rest}`
}
