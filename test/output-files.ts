import { FAULTY, SOUND } from './test-folder.ts'
import { witnessFiles } from './witnesses.ts'

/** The one rule that the faulty one breaks. */
export const rule = 'session-context/agent-id-names-family'
const block = '```yaml\nsession_context:\n  schema_version: "1.0.0"\n```\n'
const excusing = `rules:\n  ${rule}: { severity: off, reason: ids are being renamed }\n`

/** Everything that the calls below are made on, a folder for each state of a repository. */
export const files: Readonly<Record<string, string>> = {
  'plain/sound.json': SOUND,
  'plain/faulty.json': FAULTY,
  'plain/incomplete.json': '{"session_context": {"schema_version": 1}}',
  'plain/other.json': '{"x": 1}',
  'plain/torn.json': '{',
  'plain/page.md': `# Report\n\n<!-- waybill-ignore -->\n${block}\n${block}`,
  'plain/many.md': block.repeat(5),
  'plain/HANDOFF.md': '## Status\n\nWorks.\n\n## TODO\n\n- Go on.\n',
  'plain/warned.json': JSON.stringify({ ...JSON.parse(SOUND), workflowid: 'w' }),
  'plain/handoffs/2026-02-11T14-30-00Z-a.md': `---\nmode: CREATE\n---\n\ntoken = ${'abc123'.repeat(3)}\n`,
  'excused/waybill.yaml': excusing,
  'excused/a.json': FAULTY,
  'old/a.json': FAULTY,
  'empty/README.md': '# Nothing\n',
  'scored/kept.md': '- The port is 6432.\n',
  'scored/statements.yaml':
    'statements:\n  - { id: F-1, kind: fact, text: The port is 6432. }\n  - { id: R-1, kind: rule, round: 2, text: No. }\n  - { id: F-2, kind: fact, round: 3, supersedes: F-1, text: The port is 1. }\n',
  'piped/ORCHESTRATION.yaml':
    'pipelines:\n  p:\n    phases:\n      - id: 1\n        agents: [{ id: a, status: PENDING }, { id: b, status: PENDING, artifact: b.md }]\n',
  'piped-faulty/ORCHESTRATION.yaml':
    'pipelines: { p: { phases: [{ id: 1, agents: [{ status: DONE }] }] } }\n',
  'ruled/waybill.yaml': 'policies: rules\n',
  'ruled/rules/a.cedar':
    '@id("a") @needs("more") forbid (principal, action == Waybill::Action::"handoff", resource) when { context.findings > 0 };\n',
  'ruled/drafts/a.cedar': 'permit (principal, action, resource);\nforbid (',
  'begun/.gitignore': 'dist/\n',
  'begun/README.md': '# Begun\n',
  ...(await witnessFiles('begun')),
  'misconfigured/waybill.yaml': 'nonsense: 1\n',
}
