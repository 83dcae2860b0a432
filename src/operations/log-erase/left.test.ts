import { afterEach, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../../test/governed-repository.ts'
import { text } from '../../cli/render/log-erase.ts'
import { style } from '../../cli/terminal.ts'
import logErase from '../log-erase.ts'
import logShow from '../log-show.ts'
import send from '../send.ts'

let repository: GovernedRepository
afterEach(() => repository.remove())

test('an erasure lists the ids in the entry that stay readable, and what they may hold', async () => {
  repository = await openGovernedRepository('people: claimed\n')
  const draft = draftOf('domain-05-product', 'domain-02-analysis')
  const ids = { session_id: 'Erika-Mustermann-is-ill', artifact_ids: ['a-1', 'a-2'] }
  const state = { conversation_history: [], accumulated_context: ids, decisions_made: [] }
  const context = { ...draft.context, state }
  repository.write('d.json', JSON.stringify({ ...draft, context }))
  expect(await send.run({ path: 'd.json' }, repository.app())).toMatchObject({ answer: 'sent' })
  const given = { digest: '0', by: 'ada', why: 'x' }
  const line = /session Erika-Mustermann-is-ill, artifacts a-1, a-2; /
  for (const outcome of ['erased', 'was-erased']) {
    const erased = await logErase.run(given, repository.app())
    expect(erased.outcome).toBe(outcome)
    expect(erased.notErased[0]).toMatch(line)
    const shown = text(erased, style(false), repository.app(), false)
    expect(shown.replaceAll(/\s+/g, ' ')).toMatch(line)
  }
  // That is so.
  const { entries } = await logShow.run({ about: ids.session_id }, repository.app())
  expect(entries.map(({ state, kind }) => [state, kind])).toEqual([
    ['erased', 'handoff-sent'],
    ['kept', 'erasure'],
  ])
})
