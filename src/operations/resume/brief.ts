import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { composeBrief } from '../brief/compose.ts'
import type { App } from '../operation.ts'
import type { Candidate } from './choose.ts'
import type { ResumeFinding } from './codes.ts'
import type { Journey } from './journey.ts'

/** The default token limit of `brief`. */
const BUDGET = 4000

/** Composes the brief of a document. */
export async function briefOf(
  journey: Journey,
  { member, digest }: Candidate,
  before: number,
  app: App,
): Promise<string | null> {
  const paths = [join(app.root, member.path)]
  const { brief, tokens, cut, sources } = await composeBrief(
    { paths, inherited: [], unread: before },
    BUDGET,
    app,
  )
  // Compare digests rather than paths, which may be masked.
  if (sources.some(({ sha256 }) => sha256 !== digest)) {
    throw new WaybillError('conflict', `${member.path} was changed by another process`, {
      hint: 'look at it and resume again',
    })
  }
  if (brief === null) {
    const message = 'no brief can be made from it'
    const hint = 'run waybill check and fix the errors'
    const path = member.path
    journey.take('brief', message, {
      code: 'resume/no-brief',
      severity: 'error',
      message,
      hint,
      path,
    } satisfies ResumeFinding)
    return null
  }
  const left = cut.length > 0 ? `, ${cut.length} parts were cut` : ''
  journey.take('brief', `${tokens} tokens${left}`)
  return brief
}
