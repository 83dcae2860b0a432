import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatInstant } from '../../../src/document/index.ts'
import { draftEntry } from '../../../src/governance/entries/entry.ts'
import { openGateway } from '../../../src/governance/index.ts'
import { loadConfig } from '../../../src/workspace/index.ts'
import { installProgram } from '../../installed.ts'
import { entriesOf } from '../../log-entries.ts'
import { ANALYSIS, handoffOf, sha256 } from './forge.ts'
import { codesOf, expectRefused, expectVerified, prepare, type Run, type Stand } from './stand.ts'

// One handoff that comes again, and many processes at once.

const REPLAYED = 'agent-handoff/not-replayed'
const prepared = await prepare('people: claimed\n')

/** Puts a handoff into a repository, and gives its path. */
function bring(where: Stand, name: string, handoff = handoffOf()): string {
  where.write(`inbox/${name}.dsse.json`, prepared.seal(handoff))
  return where.write(`inbox/${name}.json`, JSON.stringify(handoff))
}

const kindsOf = async (where: Stand) => (await entriesOf(where)).map(({ kind }) => kind)

describe('a handoff that was accepted', () => {
  test('is refused ever after, as it is, written again, and sealed again', async () => {
    const stand = prepared.stand()
    const handoff = handoffOf()
    const envelope = prepared.seal(handoff)
    const first = await stand.receive({ document: handoff, envelope })
    expect(first).toMatchObject({ ran: true, answer: { answer: 'accepted' } })
    await expectRefused(stand, await stand.receive({ document: handoff, envelope }), [REPLAYED])
    const rewritten = JSON.stringify(handoff, null, 7)
    await expectRefused(stand, await stand.receive({ document: rewritten, envelope }), [REPLAYED])
    const again = await stand.receive({ document: handoff, envelope: prepared.seal(handoff) })
    await expectRefused(stand, again, [REPLAYED])
    await expectVerified(stand)
  })

  test('is refused after the program, the index of the log and its working files are gone', async () => {
    const stand = prepared.stand()
    const handoff = handoffOf()
    const envelope = prepared.seal(handoff)
    await stand.receive({ document: handoff, envelope })
    const program = installProgram()
    program.reinstall()
    rmSync(join(stand.root, '.waybill/ledger/.state/keys'), { recursive: true })
    const again = await stand.receive({ document: handoff, envelope, program: program.file })
    program.remove()
    await expectRefused(stand, again, [REPLAYED])
    await expectVerified(stand)
  })

  test('cannot be made new by putting back the log from before', async () => {
    const stand = prepared.stand()
    await stand.receive({ document: handoffOf(), envelope: undefined })
    execFileSync('cp', ['-a', join(stand.root, '.waybill/ledger'), join(stand.root, '../before')])
    const handoff = handoffOf()
    const path = bring(stand, 'again', handoff)
    expect((await stand.run('receive', path)).status).toBe(0)
    rmSync(join(stand.root, '.waybill/ledger'), { recursive: true })
    execFileSync('mv', [join(stand.root, '../before'), join(stand.root, '.waybill/ledger')])
    const { status, stdout, stderr } = await stand.run('receive', path)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/was changed or damaged: it has 1 entry/)
  })
})

describe('many processes', () => {
  test('of 32 that receive one handoff in the same second one accepts it, and 31 refusals are recorded', async () => {
    const stand = prepared.stand()
    const path = bring(stand, 'one')
    const line = (number: number) => `waybill receive ${path} --format json && touch ran-${number}`
    const runs = await Promise.all(Array.from({ length: 32 }, (_, at) => stand.shell(line(at))))
    const accepted = runs.filter(({ status }) => status === 0)
    expect(accepted).toHaveLength(1)
    const rejected = runs.filter(({ status }) => status === 1).map(answerOf)
    expect(rejected).toHaveLength(31)
    for (const answer of rejected) expect(codesOf({ answer })).toEqual([REPLAYED])
    expect((await stand.shell('ls -d ran-* | wc -l')).stdout.trim()).toBe('1')
    const kinds = await kindsOf(stand)
    expect(kinds.filter(kind => kind === 'handoff-accepted')).toHaveLength(1)
    expect(kinds.filter(kind => kind === 'handoff-rejected')).toHaveLength(31)
    await expectVerified(stand)
  })

  test('in two worktrees share one log: of two that receive one handoff one accepts it', async () => {
    const stand = prepared.stand()
    const { root } = stand
    execFileSync('git', ['worktree', 'add', '-q', '--detach', '../second'], { cwd: root })
    const second = join(root, '../second')
    copyFileSync(join(root, 'waybill.yaml'), join(second, 'waybill.yaml'))
    const path = bring(stand, 'one')
    const line = `waybill receive ${join(root, path)} --to .. --format json`
    const runs = await Promise.all([
      stand.shell(line),
      stand.shell(`cd ../second && ${line} --root .`),
    ])
    expect(
      runs.map(({ status }) => status).sort(),
      runs.map(({ stderr }) => stderr).join(),
    ).toEqual([0, 1])
    expect(new Set(runs.map(run => answerOf(run).origin)).size).toBe(1)
    expect((await kindsOf(stand)).sort()).toEqual(['handoff-accepted', 'handoff-rejected'])
    await expectVerified(stand)
  })

  test('that receive, reconcile and revoke at once lose nothing, and the log verifies', async () => {
    const stand = prepared.stand()
    stand.write(`prompts/${ANALYSIS}.md`, 'Other words.\n')
    expect((await stand.run('receive', bring(stand, 'first'))).status).toBe(1)
    stand.write(`prompts/${ANALYSIS}.md`, `You are ${ANALYSIS}.\n`)
    const paths = Array.from({ length: 6 }, (_, at) => bring(stand, `many-${at}`))
    const why = ['--why', 'compared with the review']
    const [reconciled, revoked, ...received] = await Promise.all([
      stand.start('lock', 'reconcile', ANALYSIS, '--by', 'ada', ...why),
      stand.start('key', 'revoke', 'domain-05-product', ...why),
      ...paths.map(path => stand.start('receive', path, '--format', 'json')),
    ])
    expect(
      [reconciled?.status, revoked?.status],
      `${reconciled?.stderr}${revoked?.stderr}`,
    ).toEqual([0, 0])
    const answers = received.map(run => ({ answer: answerOf(run) }))
    const reasons = new Set(answers.flatMap(codesOf))
    for (const code of reasons)
      expect(['agent-handoff/not-quarantined', 'envelope/key-revoked']).toContain(code)
    // The order is the same for all: each answer is in the log as it was given.
    const entries = await entriesOf(stand)
    for (const { answer } of answers) {
      const entry = entries.find(({ digest }) => digest === answer.receipt.digest)
      expect(entry?.kind).toBe(`handoff-${answer.answer}`)
    }
    // And from now on the key counts for nothing.
    const late = await stand.run('receive', bring(stand, 'late'), '--format', 'json')
    expect(codesOf({ answer: answerOf(late) })).toEqual(['envelope/key-revoked'])
    await expectVerified(stand)
  })

  test('that receive while the key of the gateway is rotated record nothing that does not verify', async () => {
    const stand = prepared.stand()
    const paths = Array.from({ length: 6 }, (_, at) => bring(stand, `parallel-${at}`))
    const [rotated, ...received] = await Promise.all([
      stand.start('key', 'rotate', 'gateway'),
      ...paths.map(path => stand.start('receive', path, '--format', 'json')),
    ])
    expect(rotated?.status, rotated?.stderr).toBe(0)
    const refused = received.filter(({ status }) => status !== 0)
    for (const run of refused) {
      expect(run).toMatchObject({ status: 2, stdout: '' })
      expect(run.stderr).toMatch(/changed during this run/)
    }
    const accepted = (await kindsOf(stand)).filter(kind => kind === 'handoff-accepted')
    expect(accepted).toHaveLength(received.length - refused.length)
    await expectVerified(stand)
  })

  test('an agent that is accused while a handoff to it waits to be recorded as accepted is kept out', async () => {
    const stand = prepared.stand()
    expect((await stand.run('receive', bring(stand, 'before'))).status).toBe(0)
    const path = bring(stand, 'during')
    let received: Promise<Run> | undefined
    await accuse(stand, () => {
      // All is well as far as that process can see; what it wants now is to append that it accepts.
      received = stand.start('receive', path, '--format', 'json')
      waitFor(() => globSync('.waybill/locks/*/*.waits', { cwd: stand.root }).length > 0)
    })
    const run = await received
    expect(run?.status).toBe(1)
    expect(run && codesOf({ answer: answerOf(run) })).toEqual(['agent-handoff/not-quarantined'])
    const kinds = ['handoff-accepted', 'security-event', 'handoff-rejected']
    expect(await kindsOf(stand)).toEqual(kinds)
    await expectVerified(stand)
  })

  test('the envelope is replaced between reading the document and reading it: only the right pair is accepted', async () => {
    const stand = prepared.stand()
    const good = handoffOf()
    const other = handoffOf()
    const [goodText, otherText] = [prepared.seal(good), prepared.seal(other)]
    stand.write('inbox/one.json', JSON.stringify(good))
    let at = 0
    const timer = setInterval(() => {
      stand.write('inbox/swap.json', at++ % 2 === 0 ? otherText : goodText)
      execFileSync('mv', ['inbox/swap.json', 'inbox/one.dsse.json'], { cwd: stand.root })
    }, 2)
    stand.write('inbox/one.dsse.json', otherText)
    const runs: Run[] = []
    for (let i = 0; i < 6; i++)
      runs.push(await stand.start('receive', 'inbox/one.json', '--format', 'json'))
    clearInterval(timer)
    for (const run of runs) {
      const answer = answerOf(run)
      const digest = answer.attestation?.envelope?.sha256
      if (answer.answer === 'accepted') expect(digest).toBe(sha256(goodText))
      else if (digest === sha256(goodText)) expect(codesOf({ answer })).toEqual([REPLAYED])
      else expect(codesOf({ answer })).toContain('envelope/wrong-subject')
    }
    await expectVerified(stand)
  })
})

/** Puts an agent into quarantine by this process; `during` runs while no other can append. */
async function accuse({ root }: Stand, during: () => void): Promise<void> {
  const stateHome = join(root, '../memory/waybill')
  const gateway = await openGateway(root, await loadConfig(root), { now: Date.now, stateHome })
  const subject = [{ name: ANALYSIS, digest: { sha256: sha256('') } }]
  await gateway.log.append(time => {
    during()
    const signer = gateway.keys.signer('gateway', gateway.origin, time)
    if (!signer) throw new Error('the key of the gateway is not there')
    const named = { at: formatInstant(time), ids: {}, agents: [ANALYSIS], quarantined: [ANALYSIS] }
    const says = { event: 'hash-mismatch', hashes: [], reason: 'another prompt' } as const
    return draftEntry('security-event', { subject, predicate: { ...named, ...says } }, signer)
  })
  await gateway.close()
}

/** Lets nothing else of this process go on meanwhile. */
function waitFor(isSo: () => boolean): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; tries < 12_000 && !isSo(); tries++) Atomics.wait(pause, 0, 0, 5)
  if (!isSo()) throw new Error('it never came to that')
}

function answerOf({ stdout, stderr }: Run) {
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}
