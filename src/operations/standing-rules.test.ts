import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { draftOf, openGovernedRepository } from '../../test/governed-repository.ts'
import { faultsOf } from '../../test/output.ts'
import { handoffWithRules, RULE, RULE_PATH } from '../../test/standing-rule.ts'
import { openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { waybill } from '../../test/waybill.ts'
import { rulesIn } from '../contracts/index.ts'
import accept from './accept.ts'
import receive from './receive.ts'
import send from './send.ts'

describe('accept', () => {
  let folder: TestFolder
  beforeEach(() => {
    folder = openTestFolder()
    folder.write(RULE_PATH, handoffWithRules())
  })
  afterEach(() => folder.remove())

  const sound = JSON.parse(SOUND)
  const OWN = ['R-3: my own words', 'One page.', { most: 3 }]
  const crossing = {
    source_agent: { id: 'ps-researcher', family: 'ps', cognitive_mode: 'divergent' },
    target_agent: { id: 'nse-risk', family: 'nse', cognitive_mode: 'convergent' },
  }
  const write = (context: object, more: object = {}) =>
    folder.write(
      'in.json',
      JSON.stringify({ ...sound, ...more, payload: { ...sound.payload, context } }),
    )
  type Given = Partial<Parameters<typeof accept.run>[0]>
  const run = (given: Given = {}) =>
    accept.run({ path: 'in.json', session: 's-1', output: 'out.json', ...given }, folder.app())
  const passedOn = () => JSON.parse(readFileSync(join(folder.root, 'out.json'), 'utf8'))

  test('a rule of a handoff reaches the target agent word for word, after what it holds already', async () => {
    write({ feed: 'parcels', constraints: ['One page.'] })
    const output = await run()
    expect(faultsOf('accept', output)).toEqual([])
    expect(output).toMatchObject({ accepted: true, masked: 0 })
    const { payload } = passedOn()
    expect(payload.context).toEqual({ feed: 'parcels', constraints: ['One page.', RULE] })
    expect(rulesIn(passedOn())).toMatchObject([{}, { id: 'R-003', scope: 'git push*' }])
  })

  test.each([
    ['none', undefined, [RULE]],
    ['one', 'One page.', ['One page.', RULE]],
    ['the same rule in other words', OWN, OWN],
  ])('a context with %s keeps it and gets only what it lacks', async (_, constraints, expected) => {
    write({ constraints })
    await run()
    expect(passedOn().payload.context.constraints).toEqual(expected)
  })

  test.each<[string, Given, object]>([
    ['is translated between families', {}, crossing],
    ['starts fresh', { session: 's-2', onMismatch: 'fresh' }, {}],
  ])('rules and constraints stay when a context %s', async (_, given, more) => {
    write({ feed: 'parcels', constraints: ['One page.'] }, more)
    const { families, session } = await run(given)
    expect(families.translated || session.outcome === 'fresh').toBe(true)
    const { payload } = passedOn()
    expect(payload.context.constraints).toEqual(['One page.', RULE])
    if (session.outcome === 'fresh') {
      expect(payload).toMatchObject({ context: { constraints: [{}, {}] }, key_findings: [] })
      expect(payload.context).not.toHaveProperty('feed')
    }
  })

  test('a credential in a constraint is masked when a context starts fresh, and in a rule', async () => {
    folder.write(RULE_PATH, handoffWithRules(['Log in with password=hunter2-example.']))
    write({ constraints: ['Use password=swordfish-example today.'] })
    const output = await run({ session: 's-2', onMismatch: 'fresh' })
    expect(output).toMatchObject({ accepted: true, masked: 2 })
    expect(JSON.stringify([output, passedOn()])).not.toMatch(/hunter2|swordfish/)
  })
})

describe('send', () => {
  test('a rule of a handoff is a constraint of the agent handoff, which its receiver accepts', async () => {
    const repository = await openGovernedRepository()
    const { root } = repository
    try {
      repository.write(RULE_PATH, handoffWithRules([RULE, 'Say how sure you are.']))
      repository.write(
        'draft.json',
        JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')),
      )
      const sent = await send.run({ path: 'draft.json' }, repository.app())
      expect(faultsOf('send', sent)).toEqual([])
      expect(sent).toMatchObject({ answer: 'sent', rulesAdded: 1 })
      const document = JSON.parse(readFileSync(join(root, sent.document ?? ''), 'utf8'))
      expect(document.context.request.constraints).toEqual(['Say how sure you are', RULE])
      expect(rulesIn(document)).toMatchObject([{}, { id: 'R-003', scope: 'git push*' }])
      const received = await receive.run({ path: sent.document ?? '' }, repository.app())
      expect(received).toMatchObject({ answer: 'accepted' })
      const { stdout } = await waybill(['send', 'draft.json', '--to', 'outbox'], { cwd: root })
      expect(stdout).toContain('with 1 standing rule added')
    } finally {
      await repository.remove()
    }
  })

  test('a draft without a list of constraints is refused as before', async () => {
    const repository = await openGovernedRepository()
    try {
      repository.write(RULE_PATH, handoffWithRules())
      const { context, ...draft } = draftOf('domain-05-product', 'domain-02-analysis')
      const { constraints: _, ...request } = context.request
      repository.write('draft.json', JSON.stringify({ ...draft, context: { request } }))
      const sent = await send.run({ path: 'draft.json' }, repository.app())
      expect(sent).toMatchObject({
        answer: 'rejected',
        diagnostics: [{ code: 'schema/required', path: '/context/request/constraints' }],
      })
      expect(sent).not.toHaveProperty('rulesAdded')
    } finally {
      await repository.remove()
    }
  })
})
