import { expect, test } from 'vitest'
import type { DoctorOutput } from '../../operations/doctor/output.ts'
import explain from '../../operations/explain.ts'
import type { InitOutput } from '../../operations/init/output.ts'
import type { App } from '../../operations/operation.ts'
import schema from '../../operations/schema.ts'
import type { View } from '../../operations/show/output.ts'
import { style } from '../terminal.ts'
import * as doctorText from './doctor.ts'
import * as explainText from './explain.ts'
import * as initText from './init.ts'
import { widthOf } from './layout.ts'
import * as schemaText from './schema.ts'
import * as showText from './show.ts'

const app: App = {
  now: 0,
  root: '/r',
  cwd: '/r/a',
  version: '0',
  stdin: async () => new Uint8Array(),
}
const plain = style(false)
const ESCAPE = String.fromCharCode(27)

const view: View = {
  path: 'a/b.json',
  contract: 'session-context',
  version: 'v1',
  title: 'Session context',
  id: 'span-1',
  accepted: true,
  facts: [
    { label: 'From', value: 'ps-a' },
    { label: 'Confidence', value: '0.7 High' },
  ],
  sections: [
    {
      title: 'Findings',
      items: [
        {
          id: 'F-001',
          marks: ['high', 'risk'],
          text: 'It leaks, and '.repeat(8).trim(),
          details: [{ label: 'evidence', value: 'a.log' }],
        },
        { id: 'F-1', text: 'below', depth: 1 },
      ],
    },
    { title: 'Empty', text: '' },
    {
      title: 'Gates',
      table: {
        columns: ['GATE', 'STATE', 'MISSING'],
        rows: [['P5', 'approved', 'much '.repeat(20).trim()]],
      },
    },
  ],
  diagnostics: [],
  notRun: [],
  suppressed: [],
}

test('a document is shown with aligned facts, its list and its tables, and a line that nothing is wrong', () => {
  expect(showText.text({ documents: [view], listed: [] }, plain, app)).toBe(
    `Session context span-1  session-context v1
b.json

  From        ps-a
  Confidence  0.7 High

Findings
  F-001  high risk  It leaks, and It leaks, and It leaks, and It leaks, and It
         leaks, and It leaks, and It leaks, and It leaks, and
         evidence  a.log
    F-1  below

Empty
  (empty)

Gates
  GATE  STATE     MISSING
  P5    approved  much much much much much much much much much much much much
                  much much much much much much much much

✓ accepted, no problems`,
  )
})

test('what is wrong comes last, in the frames of check', () => {
  const diagnostic = {
    code: 'schema/type',
    severity: 'error',
    path: '/a',
    line: 2,
    column: 3,
    endLine: 2,
    endColumn: 4,
    message: 'no',
    excerpt: '  x',
  } as const
  const rejected = {
    ...view,
    sections: [],
    accepted: false,
    diagnostics: [diagnostic],
    notRun: ['a/b'],
  }
  const lines = showText.text({ documents: [rejected], listed: [] }, plain, app).split('\n')
  expect(lines).toContain('error[schema/type] no')
  expect(lines).toContain('  ╭─ b.json:2:3')
  expect(lines.at(-1)).toBe('✗ rejected: 1 error, 0 warnings (1 rule not run)')
})

test('many documents are listed with how to show one', () => {
  const listed = [1, 2, 3, 4].map(n => ({
    path: `a/n.md#L${n}`,
    contract: 'x',
    title: 'Thing',
    accepted: n > 1,
  }))
  const lines = showText.text({ documents: [], listed }, plain, app).split('\n')
  expect(lines[0]).toBe('✗ n.md#L1  Thing')
  expect(lines.at(-1)).toBe('4 documents; show one with waybill show n.md#L1')
})

test('without colour there is no escape sequence, and with it the words stay the same', async () => {
  const outputs = [
    (s: typeof plain) => showText.text({ documents: [view], listed: [] }, s, app),
    async (s: typeof plain) =>
      explainText.text(await explain.run({ code: 'session-context/depth-at-most-one' }, app), s),
    async (s: typeof plain) => explainText.text(await explain.run({}, app), s),
    async (s: typeof plain) => schemaText.text(await schema.run({}, app), s),
  ]
  for (const make of outputs) {
    const bare = await make(plain)
    const colored = await make(style(true))
    expect(bare).not.toContain(ESCAPE)
    expect(colored).toContain(ESCAPE)
    expect(colored.replaceAll(new RegExp(`${ESCAPE}\\[[0-9]+m`, 'g'), '')).toBe(bare)
  }
})

test('an explanation says why, cites the specification and shows both examples with line numbers', async () => {
  const text = explainText.text(
    await explain.run({ code: 'session-context/depth-at-most-one' }, app),
    plain,
  )
  expect(text).toMatch(/^error session-context\/depth-at-most-one\n/)
  expect(text).toMatch(/\nwhy {4}At depth 0 /)
  expect(text).toMatch(/\nEnforces\n {2}SC-[0-9]+ {2}MUST · /)
  expect(text).toMatch(/✓ Passes depth-at-most-one\.json[\s\S]*> +[0-9]+ │ +"depth": 1/)
  expect(text).toMatch(/✗ Fails depth-at-most-one\.json[\s\S]*> +[0-9]+ │ +"depth": 2/)
  expect(text).toMatch(
    /Output for the failing example\n {2}error\[session-context\/depth-at-most-one\] depth 2/,
  )
})

test('hidden characters of an example are shown as what they are', async () => {
  const rule = {
    code: 'a/b',
    contract: 'a',
    severity: 'error',
    summary: 's',
    why: 'w',
    enforces: [],
    printed: [],
  } as const
  const failing = {
    file: 'x.md',
    lines: [{ line: 1, text: 'a\u202e\u001b[31mb', marked: true }],
  } as const
  expect(explainText.text({ rule: { ...rule, failing } }, plain)).toContain('> 1 │ a··[31mb')
})

test('the list of codes fits its width', async () => {
  const lines = explainText.text(await explain.run({}, app), plain).split('\n')
  expect(lines.filter(line => widthOf(line) > 100)).toEqual([])
})

test('a schema is printed as it is, so that it can be written to a file', async () => {
  const output = await schema.run({ name: 'session-context' }, app)
  expect(JSON.parse(schemaText.text(output, plain))).toEqual(output)
  const list = schemaText.text(await schema.run({}, app), plain).split('\n')
  expect(list[0]).toMatch(/^NAME +VERSION +WRITTEN IN +DESCRIPTION +SCHEMA$/)
  expect(list.find(line => line.startsWith('session-context '))).toMatch(
    / v1 +json, yaml +Session context +urn:/,
  )
})

const init: InitOutput = {
  root: '/r',
  dryRun: false,
  steps: [
    { path: 'waybill.yaml', action: 'created', note: 'says how' },
    { path: '.gitignore', action: 'kept', note: 'is there' },
  ],
  keys: [],
  notes: [],
  next: [{ command: 'waybill check', does: 'check' }],
}

test('init says what it did, what was there and what comes next', () => {
  expect(initText.text(init, plain, app, false)).toBe(
    `created  waybill.yaml  says how
kept     .gitignore    is there

✓ ready (/r)

Next
  waybill check  check`,
  )
  expect(initText.text({ ...init, dryRun: true }, plain, app, false)).toMatch(
    /^would create {2}waybill\.yaml[\s\S]*nothing written/,
  )
  expect(initText.text(init, plain, app, true)).toBe('')
  expect(initText.text({ ...init, dryRun: true }, plain, app, true)).toBe(
    'would create  waybill.yaml  says how',
  )
})

const doctor: DoctorOutput = {
  summary: { ok: 1, warnings: 1, errors: 1 },
  items: [
    { name: 'node', status: 'ok', message: '24.0.0' },
    { name: 'git', status: 'warning', message: 'is not installed', remedy: 'install it' },
    { name: 'configuration', status: 'error', message: 'is at fault', remedy: 'mend it' },
  ],
}

test('doctor shows each thing with its remedy, and only what is not well when quiet', () => {
  expect(doctorText.text(doctor, plain, app, true)).toBe(
    `! git            is not installed
                 fix: install it
✗ configuration  is at fault
                 fix: mend it

✗ 1 error, 1 warning`,
  )
  const lines = doctorText
    .text(
      { items: doctor.items.slice(0, 1), summary: { ok: 1, warnings: 0, errors: 0 } },
      plain,
      app,
      false,
    )
    .split('\n')
  expect(lines[0]).toMatch(/^✓ node +24\.0\.0$/)
  expect(lines[1]).toMatch(/^✓ output +.*without colour/)
  expect(lines.at(-1)).toBe('✓ all is well')
})
