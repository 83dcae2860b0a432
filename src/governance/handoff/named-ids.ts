import { findHiddenText } from '../../document/index.ts'
import type { EntryIds } from '../entries/predicates.ts'
import { partsOf } from '../entries/summary.ts'
import type { Claims } from './claims.ts'
import type { Judgement } from './judge.ts'

/** Allows no blanks, so that an id cannot hide text. Tasks of an orchestration file are named like paths. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,127}$/u
const MOST_ARTIFACTS = 16
const SECRET = 'gateway/secret'

/**
 * Returns the ids to index a handoff by: its own, and those of the mission, session, task and artifacts named as
 * `mission_id`, `session_id`, `task_id`, `artifact_id` and `artifact_ids` in its accumulated context or else in the
 * input data of its request. An invalid handoff, or one with a credential, is indexed by its own id only.
 */
export function idsToFind(judgement: Judgement, { handoff }: Pick<Claims, 'handoff'>): EntryIds {
  return { ...idsNamedIn(judgement), ...(handoff !== undefined && { handoff }) }
}

function idsNamedIn({ handoff, diagnostics }: Judgement): EntryIds {
  if (!handoff || diagnostics.some(({ code }) => code === SECRET)) return {}
  const { request, state } = handoff.context
  const places = [state.accumulated_context, request.input_data].map(partsOf)
  const all = (key: string) => places.flatMap(place => place[key]).filter(isId)
  const [mission] = all('mission_id')
  const [session] = all('session_id')
  const [task] = all('task_id')
  const artifacts = new Set([...all('artifact_id'), ...all('artifact_ids')])
  return {
    ...(mission !== undefined && { mission }),
    ...(session !== undefined && { session }),
    ...(task !== undefined && { task }),
    ...(artifacts.size > 0 && { artifacts: [...artifacts].slice(0, MOST_ARTIFACTS) }),
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value) && findHiddenText(value).length === 0
}
