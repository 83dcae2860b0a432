import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReceiveOutput } from '../../../src/operations/receive/output.ts'
import { openGovernedRepository } from '../../governed-repository.ts'
import { entriesOf } from '../../log-entries.ts'
import {
  ANALYSIS,
  DESK,
  type Fields,
  handoffOf,
  keyOf,
  listedKey,
  newKey,
  openSealer,
  PRODUCT,
  sha256,
  signerOf,
  TECHNICAL,
  THINKER,
} from './forge.ts'
import { expectRefused, expectVerified, prepare, type Stand } from './stand.ts'

// Agents that are not who they seem to be, hand over where they may not, or have their prompts elsewhere.

const prepared = await prepare()
const stand = prepared.stand()

const KNOWN = 'agent-handoff/known-agents'
const ALIAS = 'agent-handoff/no-agent-aliases'
const LOOKALIKE = 'agent-handoff/no-lookalike-ids'
const ATTESTED = 'agent-handoff/attested'

describe('a target that is named', () => {
  test.each([
    ['by its name', 'Analysis', ALIAS],
    ['by half of its id', 'domain-02', ALIAS],
    ['without its number', 'domain-analysis', KNOWN],
    ['in capitals', 'DOMAIN-02-ANALYSIS', ALIAS],
    ['with white space behind it', `${ANALYSIS} `, ALIAS],
    ['with a letter from another alphabet', ANALYSIS.replace('a', 'а'), LOOKALIKE],
    ['with digits that only look like some', ANALYSIS.replace('02', '０２'), LOOKALIKE],
    ['with a hyphen of another kind', ANALYSIS.replaceAll('-', '‐'), LOOKALIKE],
    ['with an accent that combines', ANALYSIS.replace('i', 'i\u0307'), LOOKALIKE],
    ['with the letter O for a zero', ANALYSIS.replace('0', 'O'), LOOKALIKE],
    ['by a path', `../${ANALYSIS}`, ALIAS],
    ['by a name that objects have', 'constructor', KNOWN],
    ['by the name of the chain of prototypes', '__proto__', KNOWN],
  ])('%s is not known', async (_, agent_id, code) => {
    const handoff = handoffOf()
    handoff.target_agent.agent_id = agent_id
    const attacked = await stand.receive({ document: handoff, envelope: prepared.seal(handoff) })
    // Nothing that the lock pins has this hash under this name, and nothing can be attested.
    const unknown = [code, 'agent-handoff/prompt-hash-matches-lock', ATTESTED, ATTESTED]
    await expectRefused(stand, attacked, unknown)
    expect(attacked.answer.quarantined).toEqual([])
  })

  test('with a zero-width space in it is hidden text', async () => {
    const handoff = handoffOf()
    handoff.target_agent.agent_id = `domain-02\u200b-analysis`
    const attacked = await stand.receive({ document: handoff, envelope: prepared.seal(handoff) })
    expect(attacked).toMatchObject({ ran: false, status: 1 })
    const codes = attacked.answer.diagnostics.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining([LOOKALIKE, 'agent-handoff/no-hidden-text']))
  })
})

test('a key cannot be listed under an id with a letter from another alphabet', async () => {
  const copy = prepared.stand()
  const file = join(copy.root, 'waybill.yaml')
  const entry = `  - agent: ${PRODUCT.replace('o', 'о')}\n    key: ${listedKey(newKey())}\n    from: 2026-01-01T00:00:00Z\n`
  writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n${entry}`)
  await expectError(copy, /visible ASCII/)
})

/** Receives a sound handoff where nothing may be received: an error, no answer, and the agent is not run. */
async function expectError(where: Stand, says: RegExp): Promise<void> {
  const handoff = handoffOf()
  where.write('in.json', JSON.stringify(handoff))
  where.write('in.dsse.json', prepared.seal(handoff))
  const { status, stdout, stderr } = await where.run('receive', 'in.json')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(says)
}

describe('boundaries', () => {
  const ALL = [PRODUCT, ANALYSIS, TECHNICAL, THINKER, DESK]
  /** What the manifest allows, written down by hand. */
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    [PRODUCT]: [ANALYSIS, THINKER, DESK],
    [ANALYSIS]: [THINKER, DESK],
    [TECHNICAL]: [THINKER, DESK],
    [THINKER]: [PRODUCT, TECHNICAL, DESK],
    [DESK]: [PRODUCT, ANALYSIS, TECHNICAL, THINKER],
  }
  /** To whom a refusal points, by source and target. */
  const NEAREST: Readonly<Record<string, string>> = {
    [`${PRODUCT} ${TECHNICAL}`]: THINKER,
    [`${ANALYSIS} ${PRODUCT}`]: THINKER,
    [`${ANALYSIS} ${TECHNICAL}`]: THINKER,
    [`${TECHNICAL} ${PRODUCT}`]: THINKER,
    [`${TECHNICAL} ${ANALYSIS}`]: DESK,
    [`${THINKER} ${ANALYSIS}`]: DESK,
  }
  const pairs = ALL.flatMap(from => ALL.filter(to => to !== from).map(to => [from, to] as const))
  const seal = (from: string, handoff: unknown) =>
    openSealer(prepared.sender, signerOf(keyOf(prepared.sender, from)))(handoff)

  test.each(pairs.filter(([from, to]) => ALLOWED[from]?.includes(to)))(
    '%s may hand over to %s',
    async (from, to) => {
      const handoff = handoffOf(from, to)
      const attacked = await stand.receive({ document: handoff, envelope: seal(from, handoff) })
      expect(attacked).toMatchObject({ ran: true, status: 0, answer: { answer: 'accepted' } })
    },
  )

  test.each(pairs.filter(([from, to]) => !ALLOWED[from]?.includes(to)))(
    '%s may not hand over to %s, and the refusal names the rule and the nearest agent that is allowed',
    async (from, to) => {
      const handoff = handoffOf(from, to)
      handoff.governance.boundaries_respected = false
      const attacked = await stand.receive({ document: handoff, envelope: seal(from, handoff) })
      await expectRefused(stand, attacked, ['agent-handoff/within-boundaries'])
      const [{ message, hint = '' } = { message: '' }] = attacked.answer.diagnostics
      expect(message).toMatch(/^.*: (?:a domain|an archetype|an orchestrator) may hand over /)
      expect(hint).toContain(NEAREST[`${from} ${to}`])
    },
  )

  test('an agent may not hand over to itself', async () => {
    const handoff = handoffOf(PRODUCT, PRODUCT)
    const attacked = await stand.receive({ document: handoff, envelope: seal(PRODUCT, handoff) })
    expect(attacked).toMatchObject({ ran: false, status: 1 })
    const codes = attacked.answer.diagnostics.map(({ code }) => code)
    expect(codes).toContain('agent-handoff/source-and-target-differ')
  })
})

describe('a prompt that stands elsewhere', () => {
  const OUTSIDE = 'You are another agent.\n'

  /** Changes manifest and lock of a repository so that both name a file for the analysis agent. */
  function point(where: Stand, file: string, hash: string): void {
    const change = (
      path: string,
      edit: (value: { [key: string]: Record<string, Fields> }) => void,
    ) => {
      const value = JSON.parse(readFileSync(join(where.root, path), 'utf8'))
      edit(value)
      where.write(path, JSON.stringify(value))
    }
    change('prompt-manifest.json', ({ domains }) =>
      Object.assign(domains?.[ANALYSIS] ?? {}, { file }),
    )
    change('prompt-lock.json', ({ prompts }) =>
      Object.assign(prompts?.[ANALYSIS] ?? {}, { file, hash }),
    )
  }

  test.each([
    ['by a path that leads out', '../outside.md', () => undefined],
    ['by an absolute path', '/etc/hostname', () => undefined],
    [
      'behind a link to a file outside',
      'prompts/linked.md',
      (root: string) => symlinkSync('../../outside.md', join(root, 'prompts/linked.md')),
    ],
    [
      'behind a folder that is a link',
      'linked/outside.md',
      (root: string) => symlinkSync('..', join(root, 'linked')),
    ],
  ])('%s is refused by lock and by receive', async (_, file, arrange) => {
    const copy = prepared.stand()
    writeFileSync(join(copy.root, '../outside.md'), OUTSIDE)
    arrange(copy.root)
    point(copy, file, sha256(OUTSIDE))
    for (const verb of [['lock'], ['lock', 'verify']]) {
      const { status, stdout } = await copy.run(...verb)
      expect(status).toBe(1)
      expect(stdout).toContain('prompt-manifest/prompts-inside-repository')
    }
    const handoff = handoffOf()
    handoff.target_agent.prompt_hash = sha256(OUTSIDE)
    const sealHere = openSealer(copy.root, signerOf(keyOf(prepared.sender, PRODUCT)))
    const attacked = await copy.receive({ document: handoff, envelope: sealHere(handoff) })
    await expectRefused(copy, attacked, ['agent-handoff/prompts-inside-repository', ATTESTED])
    expect(attacked.answer.attestation?.target_agent_verified ?? false).toBe(false)
  })

  test.each(['prompt-manifest.json', 'prompt-lock.json', 'waybill.yaml'])(
    'the %s as a link to a file outside of the repository governs nothing',
    async name => {
      const copy = prepared.stand()
      const outside = join(copy.root, '..', name)
      writeFileSync(outside, readFileSync(join(copy.root, name)))
      rmSync(join(copy.root, name))
      symlinkSync(outside, join(copy.root, name))
      const handoff = handoffOf()
      const attacked = await copy.receive({ document: handoff, envelope: prepared.seal(handoff) })
      await expectRefused(copy, attacked, ['gateway/governed-from-outside'])
    },
  )

  test('a manifest that comes along with the handoff governs nothing', async () => {
    mkdirSync(join(stand.root, 'inbox'), { recursive: true })
    const manifest = JSON.parse(readFileSync(join(stand.root, 'prompt-manifest.json'), 'utf8'))
    manifest.domains[TECHNICAL].collaboration = { hands_to: [ANALYSIS] }
    stand.write('inbox/prompt-manifest.json', JSON.stringify(manifest))
    const handoff = handoffOf(TECHNICAL, ANALYSIS)
    const seal = openSealer(prepared.sender, signerOf(keyOf(prepared.sender, TECHNICAL)))
    const attacked = await stand.receive({ document: handoff, envelope: seal(handoff) })
    await expectRefused(stand, attacked, ['agent-handoff/within-boundaries', ATTESTED])
  })
})

describe('the place of a handoff', () => {
  /** Puts a handoff with its envelope into a folder, and gives the path of the handoff. */
  const put = (folder: string, handoff: ReturnType<typeof handoffOf>, envelope: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'in.json'), JSON.stringify(handoff))
    writeFileSync(join(folder, 'in.dsse.json'), envelope)
  }

  test('a whole repository in the inbox, with keys and trust of its own, governs nothing', async () => {
    const attacker = await openGovernedRepository()
    const own = prepared.stand()
    try {
      const inbox = join(own.root, 'inbox')
      cpSync(attacker.root, inbox, { recursive: true })
      const handoff = handoffOf()
      const sealThere = openSealer(own.root, signerOf(keyOf(attacker.root, PRODUCT)))
      put(inbox, handoff, sealThere(handoff))
      const before = readdirSync(join(inbox, '.waybill'), { recursive: true }).sort()
      const { status, stdout } = await own.run('receive', 'inbox/in.json', '--format', 'json')
      const answer: ReceiveOutput = JSON.parse(stdout)
      expect({ status, answer: answer.answer }).toEqual({ status: 1, answer: 'rejected' })
      expect(answer.diagnostics.map(({ code }) => code)).toContain('envelope/untrusted-key')
      const entries = await entriesOf(own)
      expect(entries.map(({ digest }) => digest)).toContain(answer.receipt.digest)
      expect(readdirSync(join(inbox, '.waybill'), { recursive: true }).sort()).toEqual(before)
    } finally {
      attacker.remove()
    }
  })

  test('an inbox outside of any repository is judged by that of the current folder', async () => {
    const own = prepared.stand()
    const handoff = handoffOf()
    put(join(own.root, '../outside'), handoff, prepared.seal(handoff))
    const { status, stderr } = await own.run('receive', '../outside/in.json')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

test('all of it is recorded in a log that verifies', () => expectVerified(stand))
