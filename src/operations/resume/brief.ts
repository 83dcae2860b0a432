import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { composeBrief } from '../brief/compose.ts'
import type { App } from '../operation.ts'
import type { Candidate } from './choose.ts'
import type { ResumeFinding } from './codes.ts'
import type { Journey } from './journey.ts'

/** As much as `brief` takes when nobody says how much. */
const BUDGET = 4000

/** Takes the last step: what the next session must read of a document. */
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
  // Paths are told without what must not be shown, so that they may differ; it is one file all the same.
  if (sources.some(({ sha256 }) => sha256 !== digest)) {
    throw new WaybillError(
      'conflict',
      `${member.path} was changed by somebody else in the meantime`,
      {
        hint: 'look at it and resume again',
      },
    )
  }
  if (brief === null) {
    const message = 'nobody can be briefed from it'
    const hint = 'waybill check says what is wrong'
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
