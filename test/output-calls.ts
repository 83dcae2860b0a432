import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { expect } from 'vitest'
import { fixturesOf } from './fixture.ts'
import { draftOf, governedFiles } from './governed-repository.ts'
import { files, rule } from './output-files.ts'

/** Where the calls are made; a folder for each state of a repository. */
export const folder = mkdtempSync(join(tmpdir(), 'waybill-outputs-'))

/** Agents, one of them with another prompt than the locked one, and drafts of handoffs. */
const TECHNICAL = 'domain-06-technical'
const HANDED = '550e8400-e29b-41d4-a716-446655440000'
const governed: Readonly<Record<string, string>> = {
  ...governedFiles(TECHNICAL),
  'waybill.yaml': 'people: claimed\n',
  'draft.json': JSON.stringify(
    draftOf('domain-05-product', 'domain-02-analysis', { handoff_id: HANDED }),
  ),
  'changed.json': JSON.stringify(draftOf('orchestrator-desk', TECHNICAL)),
  'bare.json': '{"handoff_id": 1}',
}
for (const [name, text] of Object.entries(governed)) {
  const path = join(folder, 'governed', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
for (const place of ['locked', 'locked-faulty'])
  cpSync(join(import.meta.dirname, '../examples/nudge/agents'), join(folder, place), {
    recursive: true,
  })
writeFileSync(join(folder, 'locked/domains/delivery.md'), 'other words\n')
rmSync(join(folder, 'locked-faulty/domains/delivery.md'))

symlinkSync('unreadable.json', join(folder, 'plain/unreadable.json'))
/** The example of a contract of each family, copied to a file of its own. */
const examples = [
  'session-context.v1',
  'orchestration.v1',
  'handoff-document.v1',
  'session-state.v1',
  'agent-handoff.v1',
  'mission-task-graph.v1',
].map(id => {
  const example = fixturesOf(id).find(f => f.kind === 'valid' && f.name === 'example')
  if (!example) throw new Error(`${id} has no example`)
  const file = `${id}${extname(example.file)}`
  copyFileSync(example.file, join(folder, 'plain', file))
  return { name: id.replace('.v1', ''), file }
})

/** The example of the handoff document, alone in a repository. */
const handed = fixturesOf('handoff-document.v1').find(
  f => f.kind === 'valid' && f.name === 'example',
)
mkdirSync(join(folder, 'handed/handoffs'), { recursive: true })
writeFileSync(
  join(folder, 'handed/handoffs/2026-02-11T14-30-00Z-a.md'),
  readFileSync(handed?.file ?? '', 'utf8')
    .replace(/^continues_from:.*\n/m, '')
    .replace(/(## Evidence \/ Artifacts\n)[\s\S]*?(?=\n## |$(?![\s\S]))/, '$1\nNone.\n'),
)
mkdirSync(join(folder, 'session'), { recursive: true })

/** While the handoff document is fresh. */
const FRESH = '--now 2026-02-11T15:00:00Z'

/** Calls in the order in which they are made: where, what, the exit code, and what shows that the case is the one meant. */
export const CALLS: readonly (readonly [
  place: string,
  line: string,
  status: number,
  part: object,
])[] = [
  ['plain', 'check sound.json', 0, { summary: { accepted: 1 } }],
  ['plain', 'check faulty.json', 1, { documents: [{ diagnostics: [{ code: rule }] }] }],
  ['plain', 'check incomplete.json', 1, { documents: [{ contract: 'session-context' }] }],
  ['plain', 'check warned.json', 0, { summary: { accepted: 1, warnings: 1 } }],
  ['plain', 'check other.json', 1, { documents: [{ contract: null, version: null }] }],
  ['plain', 'check torn.json', 1, { documents: [{ diagnostics: [{ code: 'syntax/json' }] }] }],
  [
    'plain',
    'check unreadable.json',
    1,
    { documents: [{ diagnostics: [{ code: 'document/unreadable' }] }] },
  ],
  ['plain', 'check page.md', 1, { ignored: 1, documents: [{ path: 'page.md#L9' }] }],
  ['plain', 'check faulty.json --structure-only', 0, { structureOnly: true }],
  ['plain', 'check - --stdin-path a/b.json', 0, { documents: [{ path: 'a/b.json' }] }],
  ['plain', 'check -', 0, { documents: [{ path: '-' }] }],
  ['plain', 'check handoffs', 1, { documents: [{ contract: 'handoff-document' }] }],
  ['plain', 'check', 1, { structureOnly: false }],
  ['excused', 'check', 0, { documents: [{ suppressed: [{ reason: 'ids are being renamed' }] }] }],
  ['old', 'check --baseline', 0, { baseline: 1, documents: [{ suppressed: [{ code: rule }] }] }],
  ['old', 'check', 0, { documents: [{ suppressed: [{ reason: 'in the baseline' }] }] }],
  ['empty', 'check', 0, { summary: { documents: 0 }, documents: [] }],
  ['plain', 'explain', 0, {}],
  ['plain', 'explain session-state', 0, { groups: [{ contract: 'session-state' }] }],
  ['plain', `explain ${rule}`, 0, { rule: { passing: {}, failing: {} } }],
  ['plain', 'explain agent-handoff/prompt-hash-matches-lock', 0, { rule: { unconditional: true } }],
  ['plain', 'explain agent-handoff/fresh-when-received', 0, { rule: { phase: 'receive' } }],
  ['plain', 'explain schema/additional-properties', 0, { rule: { severity: 'depends' } }],
  ['plain', 'explain session-state/not-checked', 0, { rule: { contract: 'session-state' } }],
  ['plain', 'schema', 0, {}],
  ['plain', 'schema session-context', 0, { $id: 'urn:waybill:schema:session-context.v1' }],
  ['plain', 'schema config', 0, { $id: 'urn:waybill:schema:config.v1' }],
  ...examples.map(
    ({ name, file }) => ['plain', `show ${file}`, -1, { documents: [{ contract: name }] }] as const,
  ),
  ['plain', 'show sound.json', 0, { documents: [{ accepted: true }] }],
  ['plain', 'show incomplete.json', 1, { documents: [{ accepted: false, id: null }] }],
  ['plain', 'show torn.json', 1, { documents: [{ contract: null }] }],
  ['plain', 'show other.json', 1, { documents: [{ contract: null }] }],
  ['plain', 'show unreadable.json', 1, { documents: [{ sections: [] }] }],
  ['plain', 'show page.md#L9', 1, { documents: [{ path: 'page.md#L9' }], listed: [] }],
  ['plain', 'show many.md', 1, { documents: [], listed: [{}, {}, {}, {}, {}] }],
  ['plain', 'brief sound.json', 0, { sources: [{ path: 'sound.json' }], refused: [] }],
  ['plain', 'brief faulty.json', 1, { brief: null, refused: [{ accepted: false }] }],
  [
    'handed',
    'brief --budget 300',
    0,
    { budget: 300, cut: expect.arrayContaining([expect.objectContaining({ role: 'rest' })]) },
  ],
  ['scored', 'score kept.md --against statements.yaml --round 1', 0, { missing: [] }],
  ['scored', 'score kept.md --against statements.yaml', 1, { stale: { shown: [{ line: 1 }] } }],
  ['empty', 'chain', 0, { about: null, documents: [], whole: true }],
  ['plain', 'chain', 1, { whole: false, problems: [{ code: 'lineage/missing' }, {}] }],
  ['plain', 'chain --as mermaid', 1, { drawing: expect.stringMatching(/^flowchart TD/) }],
  ['handed', 'chain', 0, { families: 1, documents: [{ handoff: true, predecessor: null }] }],
  ['empty', 'handoff --state Works --next Ship --decision Go --rule Ask', 0, { created: true }],
  ['empty', 'handoff --next Ship', 1, { accepted: false, missing: [{ field: 'Status' }] }],
  ['empty', 'note It-rains --rule --scope src/*', 0, { change: 'added', note: { kind: 'rule' } }],
  ['empty', 'note Ask --open', 0, { note: { kind: 'open', scope: null, done: null } }],
  ['handed', 'note --done 1 said', 0, { change: 'done', note: { kind: 'done', why: 'said' } }],
  ['empty', 'note list', 0, { notes: [{ scope: 'src/*' }, {}], elsewhere: 0 }],
  ['plain', 'resume', 1, { accepted: false, handoff: null, brief: null }],
  ['handed', 'resume', 1, { accepted: false, diagnostics: [{ code: 'resume/stale' }] }],
  ['handed', `resume ${FRESH} --as a`, 0, { accepted: true, others: [] }],
  [
    'handed',
    `resume ${FRESH} --verified-by Ada --note fine --session s-1`,
    0,
    { others: [{ by: 'a' }], verification: { by: 'Ada', standing: 'claimed' } },
  ],
  ['piped', 'pipeline status', 0, { counts: { agents: { total: 2, ready: 2 } } }],
  ['piped', 'pipeline next', 0, { agents: [{ address: 'p/1/a' }, { address: 'p/1/b' }] }],
  ['piped', 'pipeline graph --as svg', 0, { as: 'svg' }],
  ['piped', 'pipeline set a IN_PROGRESS', 0, { accepted: true, to: 'IN_PROGRESS' }],
  [
    'piped',
    'pipeline set p/1/b COMPLETE',
    1,
    { accepted: false, refused: [{ code: 'pipeline/outputs-exist' }] },
  ],
  ['piped-faulty', 'pipeline status', 1, { accepted: false }],
  ['piped-faulty', 'pipeline next', 1, { agents: [] }],
  ['piped-faulty', 'pipeline graph', 1, { drawing: null }],
  ['piped-faulty', 'pipeline run', 1, { accepted: false, mission: null }],
  ['session', 'state init', 0, {}],
  ['session', 'state show', 0, {}],
  ['session', 'state show --full', 0, {}],
  ['session', 'state next', 0, { asked: 'next' }],
  ['session', 'hook codex SessionStart', 0, { outcome: 'briefed' }],
  ['session', 'state next --may-write-code', 1, { mayWriteCode: { answer: false } }],
  ['session', 'state gate 5 approved', 1, { accepted: false }],
  ['session', 'state advance', 0, { accepted: true }],
  ['session', 'state check', -1, {}],
  ['session', 'state diff SESSION_STATE.yaml', 0, {}],
  ['session', 'state confidence', 0, {}],
  ['session', 'state profile', -1, {}],
  ['session', 'state signature', -1, {}],
  ['session', 'state fast-path', -1, {}],
  ['plain', 'accept sound.json --session s-1', 0, { accepted: true }],
  [
    'plain',
    'accept sound.json --session s-2 --on-mismatch reject',
    1,
    { session: { outcome: 'rejected' }, context: null },
  ],
  ['plain', 'upgrade sound.json', 0, { documents: [{ outcome: 'current' }] }],
  ['plain', 'upgrade sound.json --to 2.0', 1, { documents: [{ outcome: 'refused' }] }],
  ['plain', 'new session-context made.json --from sound.json', 0, { created: true }],
  ['plain', 'new handoff-document --draft', 0, { created: true, draft: true }],
  ['plain', 'new mission-envelope', 1, { created: false }],
  ['plain', 'adopt HANDOFF.md', 0, { documents: [{ outcome: 'adopted' }] }],
  ['plain', 'adopt page.md', 1, { documents: [{ outcome: 'refused' }] }],
  ['locked', 'lock verify', 1, { counts: { agents: 8, sound: 7, changed: 1 } }],
  ['locked', 'lock --check', 1, { outcome: 'would-write', check: true, changed: [{}] }],
  ['locked', 'lock', 0, { outcome: 'written', totals: { orchestrators: 1 } }],
  ['locked', 'lock', 0, { outcome: 'unchanged' }],
  ['locked', 'lock verify', 0, { accepted: true, agents: [], general: [] }],
  ['locked', 'lock --lock other.json', 0, { before: null, added: Array(8).fill({}) }],
  [
    'locked-faulty',
    'lock',
    1,
    { outcome: 'refused', after: null, documents: [{ accepted: false }] },
  ],
  ['locked-faulty', 'lock verify', 1, { counts: { missing: 1, errors: 2 } }],
  ['ruled', 'policy check', 0, { accepted: true, summary: { files: 1, policies: 1 } }],
  ['ruled', 'policy check drafts', 1, { accepted: false, diagnostics: [{}, {}] }],
  ['empty', 'policy check', 0, { folder: null, summary: { files: 0, policies: 0 } }],
  ['governed', 'init --root .', 0, {}],
  ['governed', 'send draft.json', 0, { answer: 'sent', document: `${HANDED}.json` }],
  ['governed', `receive ${HANDED}.json`, 0, { answer: 'accepted', requirements: [] }],
  ['governed', `receive ${HANDED}.json`, 1, { answer: 'rejected', diagnostics: [{}] }],
  ['governed', `approve ${HANDED}.json --dry-run`, 0, { outcome: 'would-record', by: null }],
  ['governed', `approve ${HANDED}.json --by ada --why read`, 0, { standing: 'claimed' }],
  ['governed', `approve ${HANDED}.json --reject --by ada --why no`, 0, { decision: 'rejected' }],
  ['governed', 'receive bare.json', 1, { answer: 'rejected', attestation: null }],
  ['governed', 'send changed.json', 1, { answer: 'rejected', quarantined: [TECHNICAL] }],
  ['governed', `lock reconcile ${TECHNICAL} --dry-run`, 0, { changed: true, receipt: null }],
  ['governed', `lock reconcile ${TECHNICAL} --by ada --why read`, 0, { standing: 'claimed' }],
  ['governed', 'log show', 0, { about: null, shown: null }],
  ['governed', `log show ${HANDED}`, 0, { shown: [{}, { inTree: true }, {}, {}, {}] }],
  ['governed', 'log show nothing', 1, { entries: [], shown: [], more: false }],
  ['empty', 'log show', 0, { origin: null, size: 0, entries: [] }],
  ['governed', 'log tail --limit 1', 0, { entries: [{ kind: 'reconciliation' }] }],
  ['governed', 'log export --limit 2', 0, { count: 2, next: 2, out: null }],
  ['governed', `trace ${HANDED}`, 0, { kinds: ['handoff'], refusals: [{}] }],
  ['governed', 'trace nothing', 1, { steps: [], documents: [], near: [] }],
  ['governed', `policy explain ${HANDED} --artifact`, 0, { artifact: { decision: 'deny' } }],
  ['governed', 'policy explain nothing', 1, { entry: null, decision: null }],
  ['governed', 'log erase 0 --by ada --why private', 0, { outcome: 'erased', removed: [] }],
  ['governed', 'log erase 0', 0, { outcome: 'was-erased', receipt: null, by: 'ada' }],
  ['governed', 'log show 0', 0, { shown: [{ state: 'erased', tombstone: { by: 'ada' } }] }],
  ['empty', 'log migrate --to postgres', 0, { outcome: 'nothing-to-move', configured: false }],
  ['begun', 'init --root . --dry-run', 0, { dryRun: true }],
  ['begun', 'init --root .', 0, { steps: [{ action: 'created' }, { action: 'changed' }, {}, {}] }],
  ['begun', 'init --root .', 0, { steps: [{ action: 'kept' }, { action: 'kept' }, {}, {}] }],
  ['begun', 'key list', 0, { keys: [{ held: true }, { standing: 'valid' }], unlisted: [] }],
  ['begun', 'key rotate gateway', 0, { changes: [{ change: 'rotated', why: null }] }],
  ['begun', 'log verify', 0, { verified: true, size: 1, counts: { keyChanges: 1 }, faults: [] }],
  ['begun', 'log verify --quick', 0, { verified: true, covered: null }],
  ['begun', 'log checkpoint', 0, { size: 1, signers: [{ log: true }] }],
  ['begun', 'log prove 0', 0, { proves: 'inclusion', size: 1, hashes: [] }],
  ['begun', 'log prove --from 0', 0, { proves: 'consistency', from: 0 }],
  ['begun', 'log bundle 0', 0, { index: 0, file: null }],
  ['begun', 'log witness --policy none.txt', 0, { role: 'log', met: true, witnesses: [] }],
  ['begun', 'log witness --policy few.txt', 1, { met: false, witnesses: [{ cosigned: null }] }],
  ['begun', 'log verify --policy few.txt', 1, { witnessed: { met: false, by: [] } }],
  ['begun', 'log witness --cosign README.md', 1, { role: 'witness', answer: 'refused' }],
  [
    'begun',
    'log witness --cosign request.txt --policy none.txt',
    0,
    { answer: 'cosigned', cosigned: 3 },
  ],
  ['begun', 'key revoke log --why lost', 0, { changes: [{ change: 'revoked', why: 'lost' }] }],
  ['begun', 'key list', 0, { keys: [{ held: true }, { standing: 'revoked' }, {}] }],
  ['begun', 'doctor --root .', 0, { summary: { errors: 0 } }],
  ['misconfigured', 'doctor', 2, { summary: { errors: 1 } }],
]
