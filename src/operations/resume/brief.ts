import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { type Lineage, readInForce } from '../../session/index.ts'
import { composeBrief } from '../brief/compose.ts'
import type { BriefOutput } from '../brief/output.ts'
import type { App } from '../operation.ts'
import type { Candidate } from './choose.ts'
import type { ResumeFinding } from './codes.ts'
import type { Journey } from './journey.ts'

/** Composes the brief of a document. */
export async function briefOf(
  journey: Journey,
  { member, digest }: Candidate,
  lineage: Lineage,
  budget: number,
  app: App,
): Promise<BriefOutput> {
  const paths = [join(app.root, member.path)]
  const inForce = readInForce(app.root, member, lineage)
  const output = await composeBrief({ paths, inForce, head: member.path }, budget, app)
  const { brief, tokens, cut, sources, needs } = output
  // Compare digests rather than paths, which may be masked.
  if (sources.some(({ inherited, sha256 }) => !inherited && sha256 !== digest)) {
    throw new WaybillError('conflict', `${member.path} was changed by another process`, {
      hint: 'look at it and resume again',
    })
  }
  if (brief === null) {
    const message =
      needs === null
        ? 'no brief can be made from it'
        : `the rules in force need ${needs} tokens, and the budget is ${budget}`
    const hint =
      needs === null
        ? 'run waybill check and fix the errors'
        : `resume with --budget ${needs}, or end rules that no longer hold`
    const path = member.path
    journey.take('brief', message, {
      code: 'resume/no-brief',
      severity: 'error',
      message,
      hint,
      path,
    } satisfies ResumeFinding)
    return output
  }
  const left = cut.length > 0 ? `, ${cut.length} parts were cut` : ''
  journey.take('brief', `${tokens} tokens${left}`)
  return output
}
