import { findHiddenText } from '../../document/index.ts'
import type { EntryIds } from '../entries/predicates.ts'
import { partsOf } from '../entries/summary.ts'
import type { Claims } from './claims.ts'
import type { Judgement } from './judge.ts'

/** No text that somebody could hide words in: blanks there are none. Tasks of an orchestration file are named as paths are. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,127}$/u
const MOST_ARTIFACTS = 16
const SECRET = 'gateway/secret'

/**
 * The ids by which a handoff is found: its own, and those of the mission, session, task and artifacts that it names as
 * `mission_id`, `session_id`, `task_id`, `artifact_id` and `artifact_ids` in its accumulated context or, if not there, in
 * the input data of its request. Of one whose structure is not sound, or that holds a credential, its own alone.
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
