import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { text } from '../cli/render/lock-reconcile.ts'
import doctor from './doctor.ts'
import lock from './lock.ts'
import reconcile from './lock-reconcile.ts'
import verify from './lock-verify.ts'
import logShow from './log-show.ts'
import send from './send.ts'
import trace from './trace.ts'

const PRODUCT = 'domain-05-product'
const PROMPT = `prompts/${PRODUCT}.md`

const opened: GovernedRepository[] = []
afterAll(() => {
  for (const repository of opened) repository.remove()
})

/** A repository in which the prompt of one agent was changed, and noticed. */
async function quarantined(config = ''): Promise<GovernedRepository> {
  const repository = await openGovernedRepository(config)
  opened.push(repository)
  repository.write('draft.json', JSON.stringify(draftOf(PRODUCT, 'domain-02-analysis')))
  repository.write(PROMPT, 'You are another agent.\n')
  const sent = await send.run({ path: 'draft.json' }, repository.app())
  expect(sent.quarantined).toEqual([PRODUCT])
  return repository
}

const lockOf = ({ root }: GovernedRepository) =>
  JSON.parse(readFileSync(join(root, 'prompt-lock.json'), 'utf8'))

describe('where a name is enough', () => {
  let repository: GovernedRepository
  beforeAll(async () => {
    repository = await quarantined('people: claimed\n')
  })

  test('locking does not let the agent out, nor change its entry', async () => {
    const before = lockOf(repository)
    const locked = await lock.run({}, repository.app())
    expect(locked).toMatchObject({ outcome: 'refused', refused: [{ code: 'lock/quarantined' }] })
    expect(lockOf(repository)).toEqual(before)
  })

  test('every command says who is in quarantine, since when, and what ends it', async () => {
    const app = repository.app()
    const verified = await verify.run({}, app)
    expect(verified).toMatchObject({ accepted: false, quarantined: [{ id: PRODUCT }] })
    const [found] = verified.agents
    expect(found?.diagnostics.map(({ code }) => code)).toEqual([
      'lock/quarantined',
      'prompt-lock/hashes-match-files',
    ])
    for (const { hint } of found?.diagnostics ?? [])
      expect(hint).toContain(`waybill lock reconcile ${PRODUCT}`)
    const checked = await lock.run({ check: true }, app)
    expect(checked.quarantined).toEqual(verified.quarantined)
    const { items } = await doctor.run({}, app)
    expect(items.find(({ name }) => name === 'quarantine')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(
        `${PRODUCT} is refused since ${found && verified.quarantined[0]?.since}`,
      ),
      remedy: expect.stringContaining(`waybill lock reconcile ${PRODUCT}`),
    })
  })

  test('a dry run shows both hashes, and changes nothing', async () => {
    const before = (await entriesOf(repository)).length
    const shown = await reconcile.run({ agent: PRODUCT, dryRun: true }, repository.app())
    expect(shown).toMatchObject({ outcome: 'would-reconcile', changed: true, receipt: null })
    expect(shown.old).toBe(lockOf(repository).prompts[PRODUCT].hash)
    expect((await entriesOf(repository)).length).toBe(before)
  })

  test('a difference in line ends alone is reported with what to do', async () => {
    repository.write(PROMPT, `You are ${PRODUCT}.\r\n`)
    const shown = await reconcile.run({ agent: PRODUCT, dryRun: true }, repository.app())
    expect(shown.lineEnds).toEqual({ locked: 'LF', has: 'CRLF' })
    const said = text(shown, (_, word) => word, repository.app(), false)
    expect(said).toContain('Only the line ends differ: locked with LF, now CRLF.')
    repository.write(PROMPT, 'You are another agent.\n')
    const other = await reconcile.run({ agent: PRODUCT, dryRun: true }, repository.app())
    expect(other.lineEnds).toBeNull()
    expect(text(other, (_, word) => word, repository.app(), false)).not.toContain('line ends')
  })

  test.each([
    ['a call without a person', {}],
    ['a person without a reason', { by: 'ada' }],
    ['a reason without a name', { why: 'edited on purpose' }],
    ['a reason with a credential', { by: 'ada', why: `password=${'x7Kq9'.repeat(4)}` }],
  ])('%s lets no agent out', async (_, given) => {
    const call = reconcile.run({ agent: PRODUCT, ...given }, repository.app())
    await expect(call).rejects.toMatchObject({ code: 'usage' })
  })

  test('the agent of a task sees both hashes, and cannot release an agent in the name of a person', async () => {
    const variable = (name: string) => (name === 'WAYBILL_TASK' ? 'sort/1' : undefined)
    const app = repository.app({ variable })
    const before = [lockOf(repository), (await entriesOf(repository)).length]
    const given = { agent: PRODUCT, by: 'ada', why: 'I am right as I am' }
    for (const run of [() => reconcile.run(given, app), () => lock.run({}, app)])
      await expect(run()).rejects.toMatchObject({
        code: 'not-approved',
        message: expect.stringContaining('the agent of the task sort/1 cannot run waybill lock'),
      })
    expect(await reconcile.run({ ...given, dryRun: true }, app)).toMatchObject({
      outcome: 'would-reconcile',
    })
    expect((await lock.run({ check: true }, app)).quarantined).toMatchObject([{ id: PRODUCT }])
    expect([lockOf(repository), (await entriesOf(repository)).length]).toEqual(before)
  })

  test('an agent that is not listed is named before anything else is asked for', async () => {
    const call = reconcile.run({ agent: 'domain-05-produkt' }, repository.app())
    await expect(call).rejects.toMatchObject({
      code: 'not-found',
      message: "prompt-manifest.json has no agent 'domain-05-produkt'",
      hint: `did you mean ${PRODUCT}?`,
    })
  })

  test('an agent that is not in quarantine is not let out of it', async () => {
    const call = reconcile.run(
      { agent: 'orchestrator-desk', by: 'ada', why: 'just so' },
      repository.app(),
    )
    await expect(call).rejects.toThrow(/not in quarantine/)
  })

  test('a person lets the agent out: its entry alone changes, and the statement is recorded', async () => {
    const before = lockOf(repository)
    repository.write('prompts/domain-06-technical.md', 'Changed as well.\n')
    const given = { agent: PRODUCT, by: 'ada', why: 'edited on purpose' }
    const done = await reconcile.run(given, repository.app())
    expect(done).toMatchObject({ outcome: 'reconciled', standing: 'claimed', by: 'ada' })
    const after = lockOf(repository)
    expect(after.prompts[PRODUCT].hash).toBe(done.new)
    expect({ ...after.prompts, [PRODUCT]: null }).toEqual({ ...before.prompts, [PRODUCT]: null })
    const entry = (await entriesOf(repository)).at(-1)
    expect(entry).toMatchObject({ kind: 'reconciliation', digest: done.receipt?.digest })
    expect(entry?.statement.predicate).toMatchObject({
      agent: PRODUCT,
      by: 'ada',
      standing: 'claimed',
      old: done.old,
      new: done.new,
    })
    expect((await send.run({ path: 'draft.json' }, repository.app())).answer).toBe('sent')
  })
})

describe('where a person has to sign', () => {
  test('neither a name nor the key of another person releases the agent, the key of that person does', async () => {
    const repository = await quarantined()
    const { root } = repository
    for (const name of ['ada', 'eve'])
      execFileSync('ssh-keygen', [
        '-q',
        '-t',
        'ed25519',
        '-N',
        '',
        '-f',
        join(root, `.waybill/${name}`),
      ])
    const key = readFileSync(join(root, '.waybill/ada.pub'), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ')
    const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
    repository.write(
      'waybill.yaml',
      config.replace(
        /^trust:\n/m,
        `trust:\n  - { person: ada, key: "${key}", from: 2026-01-01T00:00:00Z }\n`,
      ),
    )
    repository.git('commit', '-q', '-m', 'people', 'waybill.yaml')
    const given = { agent: PRODUCT, by: 'ada', why: 'edited on purpose' }
    const asked = (file?: string) =>
      reconcile.run({ ...given, ...(file && { key: join(root, file) }) }, repository.app())
    await expect(asked()).rejects.toThrow(/has to sign/)
    await expect(asked('.waybill/eve')).rejects.toThrow(/cannot verify that ada states this/)
    const before = (await entriesOf(repository)).length
    const done = await asked('.waybill/ada')
    expect(done).toMatchObject({ outcome: 'reconciled', standing: 'proved' })
    const entries = await entriesOf(repository)
    expect(entries.length).toBe(before + 1)
    const { stated, proof } = (entries.at(-1)?.statement.predicate ?? {}) as {
      stated: string
      proof: { signature: string }
    }
    expect(JSON.parse(stated)).toMatchObject({ agent: PRODUCT, by: 'ada', new: done.new })
    // A foreign verifier agrees that this person signed these very words.
    repository.write('.waybill/signers', `ada ${key}\n`)
    repository.write('.waybill/signature', proof.signature)
    const verify = [
      '-Y',
      'verify',
      '-f',
      '.waybill/signers',
      '-I',
      'ada',
      '-n',
      'waybill',
      '-s',
      '.waybill/signature',
    ]
    expect(
      execFileSync('ssh-keygen', verify, { cwd: root, input: stated, encoding: 'utf8' }),
    ).toContain('Good')
  })
})

describe('where the lock is not there to compare with', () => {
  const STATED = { agent: PRODUCT, by: 'ada', why: 'read it' }

  test('a damaged one is reported, and the reported remedy leads out', async () => {
    const repository = await quarantined('people: claimed\n')
    const { root } = repository
    repository.write('prompt-lock.json', '{')
    const refused = reconcile.run(STATED, repository.app())
    await expect(refused).rejects.toMatchObject({
      ...{
        code: 'configuration',
        message: expect.stringContaining('cannot reconcile: prompt-lock.json'),
      },
      hint: expect.stringContaining('delete it and try again'),
    })
    rmSync(join(root, 'prompt-lock.json'))
    expect((await lock.run({}, repository.app())).refused).toMatchObject([
      { code: 'lock/quarantined' },
    ])
    expect(await reconcile.run(STATED, repository.app())).toMatchObject({
      ...{ outcome: 'reconciled', old: null, changed: true },
    })
    expect(Object.keys(lockOf(repository).prompts)).toEqual([PRODUCT])
    expect(await lock.run({}, repository.app())).toMatchObject({ outcome: 'written' })
    expect(await verify.run({}, repository.app())).toMatchObject({ accepted: true })
  })
})

test.each([
  ['a link that leads nowhere', 'ln -s nowhere', 'is a broken link'],
  ['a folder', 'mkdir', 'is a folder'],
])('%s in the place of the lock is reported before anything is recorded', async (_, make, says) => {
  const repository = await quarantined('people: claimed\n')
  const { root } = repository
  execFileSync('sh', ['-c', `rm prompt-lock.json && ${make} prompt-lock.json`], { cwd: root })
  for (const how of [{ dryRun: true }, { by: 'ada', why: 'read it' }])
    await expect(reconcile.run({ agent: PRODUCT, ...how }, repository.app())).rejects.toMatchObject(
      {
        ...{ code: 'configuration', message: expect.stringContaining(says) },
        hint: expect.stringContaining('delete it and try again'),
      },
    )
})

test('a log that is gone is reported, and neither locks a prompt nor releases an agent', async () => {
  const repository = await quarantined('people: claimed\n')
  rmSync(join(repository.root, '.waybill/ledger'), { recursive: true })
  const app = repository.app()
  const GIVEN = { agent: PRODUCT, by: 'ada', why: 'just so' }
  const before = lockOf(repository)
  const reading = [
    lock.run({}, app),
    verify.run({}, app),
    logShow.run({}, app),
    trace.run({ id: PRODUCT }, app),
  ]
  for (const one of await Promise.allSettled(reading))
    expect(one).toMatchObject({ reason: { code: 'ledger-tampered' } })
  await expect(reconcile.run(GIVEN, app)).rejects.toMatchObject({ code: 'ledger-tampered' })
  expect(lockOf(repository)).toEqual(before)
  const { items } = await doctor.run({}, app)
  expect(items.find(({ name }) => name === 'log')).toMatchObject({ status: 'error' })
})

test('of several persons who release an agent at once one does, and the others get an error that says so', async () => {
  const repository = await quarantined('people: claimed\n')
  const given = { agent: PRODUCT, by: 'ada', why: 'edited on purpose' }
  await Promise.allSettled([0, 1, 2, 3].map(() => reconcile.run(given, repository.app())))
  const kinds = (await entriesOf(repository)).map(({ kind }) => kind)
  expect(kinds.filter(kind => kind === 'reconciliation')).toHaveLength(1)
  await expect(reconcile.run(given, repository.app())).rejects.toThrow('is not in quarantine')
})
