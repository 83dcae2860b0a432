import type { Fields } from '../../contract/index.ts'
import { SIDES } from '../../contracts/index.ts'
import { fieldsOf } from '../show/said.ts'

/** What `send` computes when a handoff goes out. */
const SET_BY_SEND = ['handoff_id', 'timestamp', 'protocol_version', 'governance']

/** The draft of an agent handoff without what `send` sets, so that it is sent once its texts are filled in. */
export function draftToSend(whole: Fields, given: Fields): Fields {
  const kept = Object.entries(whole).filter(
    ([key]) => !SET_BY_SEND.includes(key) || Object.hasOwn(given, key),
  )
  const { request, state } = fieldsOf(whole.context)
  const statesState = Object.hasOwn(fieldsOf(given.context), 'state')
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(SIDES.map(side => [side, agentIn(whole[side], given[side])])),
    context: { request, ...(statesState && { state }) },
  }
}

/** `send` takes type, version and prompt hash of an agent from the lock. */
function agentIn(whole: unknown, given: unknown): Fields {
  return { agent_id: fieldsOf(whole).agent_id, ...fieldsOf(given) }
}
