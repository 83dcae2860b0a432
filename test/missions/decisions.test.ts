import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GovernedRepository, openGovernedRepository } from '../governed-repository.ts'
import { withRaw } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository, type Ran } from '../mission-repository.ts'

let repository: MissionRepository
/** An installation that knows nothing of the first one's log. */
let stranger: GovernedRepository
let mission: string
let proposal: string
beforeAll(async () => {
  repository = await openMissionRepository()
  stranger = await openGovernedRepository()
  const { code, out, err } = await repository.mission('run', 'brief', '--goal', 'Find out')
  if (code !== 0) throw new Error(err || out)
  mission = /● ([0-9a-f-]{36}) running/.exec(out)?.[1] ?? ''
  proposal = /waybill mission approve (\S+) /.exec(out)?.[1] ?? ''
})
afterAll(async () => {
  await repository?.remove()
  await stranger?.remove()
})

const ABSENT = '00000000-0000-4000-8000-000000000000'
const WHO = ['--by', 'ada', '--why', 'figures compared']

function expectRan({ code, out, err }: Ran, wanted: number, says: string | RegExp) {
  expect(out + err).toMatch(says)
  expect(code).toBe(wanted)
}

test.each<[string, readonly string[], RegExp, number?]>([
  ['the person is missing', ['--why', 'so'], /a decision needs --by/],
  ['the reason is missing', ['--by', 'ada'], /a decision needs --by/],
  [
    'its producer approves it',
    ['--by', 'domain-06-technical', '--why', 'so'],
    /another person must decide/,
    1,
  ],
  ['another was shown', [...WHO, '--digest', 'a'.repeat(64)], /not the one you were shown/, 1],
  [
    'an approval would count for no time',
    [...WHO, '--hours', '0'],
    /--hours must be a whole number from 1 to 720/,
  ],
  ['another mission is named', [...WHO, '--mission', 'x'], /there is no mission x/],
  ['there is no such mission', [...WHO, '--mission', ABSENT], /there is no mission 00000000-/],
  ['it is that of another tenant', [...WHO, '--tenant', 'other'], /there is no write-back/],
])('nothing is approved where %s', async (_, flags, says, code = 2) => {
  const ran = await repository.mission('approve', proposal, ...flags)
  expectRan(ran, code, says)
  expect((await repository.mission('status', mission)).out).toContain('waiting for approval')
})

test('what would be approved is shown, with the digest that binds the decision to it', async () => {
  const { out } = await repository.mission('approve', proposal, '--dry-run')
  expect(out).toContain('nothing recorded')
  const digest = /--digest ([0-9a-f]{64})/.exec(out)?.[1] ?? ''
  expect(out).toContain('"stage": "next"')
  const ran = await repository.mission('approve', proposal, ...WHO, '--digest', digest)
  expectRan(ran, 0, /is approved by ada/)
  const again = await repository.mission('reject', proposal, ...WHO)
  expectRan(again, 1, /was approved by ada at/)
  expect((await repository.mission('status', mission)).out).toContain('approved, not yet delivered')
})

test('a bundle is written as a whole, and over nothing but a bundle as it was exported', async () => {
  const file = join(repository.root, 'taken.jsonl')
  const exported = (...more: readonly string[]) =>
    repository.mission('export', mission, '--to', 'taken.jsonl', ...more)
  writeFileSync(file, 'mine')
  for (const more of [[], ['--replace']]) {
    expectRan(await exported(...more), 2, /taken\.jsonl exists already.*not a bundle/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  }
  rmSync(file)
  expectRan(await exported(), 0, /was exported to taken\.jsonl/)
  const bundle = readFileSync(file, 'utf8')
  expect(bundle.split('\n').at(-2)).toContain('"part":"manifest"')
  expectRan(await exported(), 2, new RegExp(`it is the bundle of ${mission}[\\s\\S]*--replace`))
  expect(readFileSync(file, 'utf8')).toBe(bundle)
  // What a person has added is theirs.
  for (const changed of [`${bundle}mine\n`, `mine\n${bundle}`, bundle.slice(0, -1)]) {
    writeFileSync(file, changed)
    expectRan(await exported('--replace'), 2, /or a changed one/)
    expect(readFileSync(file, 'utf8')).toBe(changed)
  }
  writeFileSync(file, bundle)
  const { ino } = statSync(file)
  expectRan(await exported('--replace'), 0, /was exported to taken\.jsonl/)
  expect(statSync(file).ino).not.toBe(ino)
  expect(readFileSync(file, 'utf8').split('\n').at(-2)).toContain('"part":"manifest"')
})

test.each([
  ['.git/config', [], /is in the folder of Git/],
  ['.GIT/new.jsonl', [], /is in the folder of Git/],
  ['.waybill/new.jsonl', ['--replace'], /is in the folder of Waybill/],
  ['lnk/new.jsonl', [], /is in the folder of Git/],
  ['agents', ['--replace'], /agents exists already.*it is a folder/],
  ['lnk', ['--replace'], /'lnk' is in the folder of Git/],
  ['no/such/folder', [], /cannot be written \(ENOENT\)/],
  ['waybill.yaml/new.jsonl', [], /cannot be written \(ENOTDIR\)/],
  ['x'.repeat(300), [], /cannot be written \(ENAMETOOLONG\)/],
])('a bundle is not written to %s', async (to, more, says) => {
  const link = join(repository.root, 'lnk')
  if (!existsSync(link)) symlinkSync('.git', link)
  const config = readFileSync(join(repository.root, '.git/config'), 'utf8')
  expectRan(await repository.mission('export', mission, '--to', to, ...more), 2, says)
  expect(readFileSync(join(repository.root, '.git/config'), 'utf8')).toBe(config)
  for (const file of ['.git/new.jsonl', '.GIT/new.jsonl', '.waybill/new.jsonl', 'no'])
    expect(existsSync(join(repository.root, file))).toBe(false)
})

test('a bundle that was changed, or is another than the one that is meant, is refused', async () => {
  const text = readFileSync(join(repository.root, 'taken.jsonl'), 'utf8')
  repository.write('changed.jsonl', text.replace('figures compared', 'figures invented'))
  const changed = await repository.mission('import', 'changed.jsonl')
  expectRan(changed, 1, /bundle\/digest-differs/)
  const other = await repository.mission('import', 'taken.jsonl', '--digest', 'a'.repeat(64))
  expectRan(other, 1, /bundle\/not-expected/)
  expectRan(await repository.mission('import', 'nothing.jsonl'), 2, /does not exist/)
  expectRan(await repository.mission('import', '.'), 2, /not a regular file/)
})

test('a bundle of a log that is not trusted here is refused, unless its keys are given or none are asked', async () => {
  const bundle = join(repository.root, 'taken.jsonl')
  const root = ['--dry-run', '--root', stranger.root]
  expectRan(await repository.mission('import', bundle, ...root), 1, /bundle\/checkpoint/)
  const unproved = await repository.mission('import', bundle, ...root, '--unproved')
  expectRan(unproved, 0, /the log of its handoffs and decisions was not verified/)
  const keys = [
    ...configured(/^ +key: (\S+\+[0-9a-f]{8}\+\S+)$/gm),
    ...configured(/^ +key: (MFkw\S+)$/gm),
  ]
  expect(keys.length).toBeGreaterThan(1)
  const proved = await repository.mission('import', bundle, ...root, '--key', ...keys)
  expectRan(proved, 0, /a trusted key signed the log/)
})

test('a bundle without a log is accepted where no proof is asked for, so that an import can move on', async () => {
  const exported = await repository.mission(
    ...['export', mission, '--to', 'bare.jsonl', '--without-log'],
  )
  expectRan(exported, 0, / 0 entries of the log/)
  const dry = ['import', 'bare.jsonl', '--dry-run']
  expectRan(await repository.mission(...dry), 1, /bundle\/no-evidence/)
  expectRan(
    await repository.mission(...dry, '--unproved'),
    0,
    /no log of its handoffs and decisions/,
  )
})

function configured(pattern: RegExp): string[] {
  const text = readFileSync(join(repository.root, 'waybill.yaml'), 'utf8')
  return [...text.matchAll(pattern)].map(([, key = '']) => key)
}

test('neither a replay nor a bundle vouches for an approver whom the log does not know', async () => {
  const forge = (by: string, standing: string) =>
    withRaw(repository.database.url, ({ client }) =>
      // Who owns the database can put aside what keeps decisions as they are.
      client.query(
        `set session_replication_role = replica;
         update waybill.proposal_decisions set decided_by = '${by}', standing = '${standing}'`,
      ),
    )
  await forge('the board', 'proved')
  const says = /replay\/decision-differs[\s\S]*it differs in by and standing/
  expectRan(await repository.mission('replay', mission), 1, says)
  await repository.mission('export', mission, '--to', 'forged.jsonl')
  expectRan(await repository.mission('import', 'forged.jsonl', '--dry-run'), 1, says)
  await forge('ada', 'claimed')
})

test('a replay reports changes in the database', async () => {
  expectRan(await repository.mission('replay', mission), 0, /matches its artifacts/)
  const client = new pg.Client({ connectionString: repository.database.url })
  await client.connect()
  try {
    await client.query('update waybill.mission_runs set tokens_used = 99 where mission_id = $1', [
      mission,
    ])
  } finally {
    await client.end()
  }
  const ran = await repository.mission('replay', mission)
  expectRan(ran, 1, /replay\/mission-state {2}\/run\/tokensUsed\n {2}it is 99 but must be 0/)
})

test.each([
  ['text', /^✓ search\n✓ count {2,}← search\n/],
  ['mermaid', /^flowchart TD\n/],
  ['svg', /^<svg [\s\S]*<\/svg>$/],
])('a graph is drawn as %s', async (as, says) => {
  expect((await repository.mission('graph', mission, '--as', as, '--quiet')).out.trimEnd()).toMatch(
    says,
  )
})
