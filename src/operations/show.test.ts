import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { text as showText } from '../cli/render/show.ts'
import { contracts } from '../contracts/index.ts'
import type { App } from './operation.ts'
import { describeFor } from './show/families.ts'
import type { View } from './show/output.ts'
import show, { showForPeople } from './show.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-show-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const NOW = Date.UTC(2026, 0, 14, 12)
const app = (more: Partial<App> = {}): App => ({
  now: NOW,
  root,
  cwd: root,
  version: '0.0.0',
  stdin: async () => new Uint8Array(),
  ...more,
})
const run = (path: string, more: Partial<App> = {}) => show.run({ path }, app(more))

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function view(path: string): Promise<View> {
  const { documents } = await run(path)
  if (!documents[0]) throw new Error(`${path} was not shown`)
  return documents[0]
}

const fact = (shown: View, label: string) => shown.facts.find(f => f.label === label)?.value
const section = (shown: View, title: string) => shown.sections.find(s => s.title === title)

const context = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps', cognitive_mode: 'divergent' },
  target_agent: { id: 'nse-risk', family: 'nse' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: {
    key_findings: [
      {
        id: 'F-001',
        summary: 'It leaks.',
        severity: 'high',
        category: 'risk',
        evidence: ['a.log'],
        traceability: ['RISK-1'],
      },
    ],
    blockers: [{ id: 'BLK-001', description: 'No access.', severity: 'medium', workaround: 'ask' }],
    confidence: {
      overall: 0.7,
      reasoning: 'two sources',
      breakdown: { source_quality: 0.9, accuracy: 0.3 },
    },
    context: { depot: 'north' },
  },
}

describe('a session context', () => {
  test('says who, to whom, when and how sure, then blockers before findings', async () => {
    write('a.json', JSON.stringify(context))
    const shown = await view('a.json')
    expect(shown).toMatchObject({
      title: 'Session context',
      contract: 'session-context',
      version: 'v1',
      accepted: true,
    })
    expect(fact(shown, 'From')).toBe('ps-researcher (divergent)')
    expect(fact(shown, 'To')).toBe('nse-risk')
    expect(fact(shown, 'When')).toBe('2026-01-11T12:00:00Z, 3 days ago')
    expect(fact(shown, 'Confidence')).toBe('0.7 High')
    expect(fact(shown, 'In parts')).toBe('source quality 0.9 Very High, accuracy 0.3 Low')
    expect(shown.sections.map(s => s.title)).toEqual(['Blockers', 'Findings', 'Context'])
    expect(section(shown, 'Findings')?.items).toEqual([
      {
        id: 'F-001',
        marks: ['high', 'risk'],
        text: 'It leaks.',
        details: [
          { label: 'evidence', value: 'a.log' },
          { label: 'traces to', value: 'RISK-1' },
        ],
      },
    ])
  })

  test('that is broken shows what is there, and what is wrong', async () => {
    write(
      'a.json',
      JSON.stringify({
        ...context,
        timestamp: 'yesterday',
        payload: { key_findings: ['just words', 7], confidence: 'quite' },
      }),
    )
    const shown = await view('a.json')
    expect(shown.accepted).toBe(false)
    expect(fact(shown, 'When')).toBe('yesterday')
    expect(fact(shown, 'Confidence')).toBe('quite')
    expect(section(shown, 'Findings')?.items?.map(i => i.text)).toEqual(['just words', '7'])
    expect(shown.diagnostics.map(d => d.code)).toContain('schema/format')
    expect(show.failed?.({ documents: [shown], listed: [] })).toBe(true)
  })

  test('whose text cannot be parsed is still shown as what it is, with its syntax fault', async () => {
    write('a.json', `${JSON.stringify(context, null, 2).slice(0, -4)}`)
    const shown = await view('a.json')
    expect(shown.contract).toBe('session-context')
    expect(shown.diagnostics.map(d => d.code)).toEqual(['syntax/json'])
  })
})

describe('what is shown', () => {
  test('masks secrets, also where their key stands elsewhere', async () => {
    const key = ['correct', 'horse', 'battery1'].join('-')
    const finding = { id: 'F-001', summary: `it said password=${key} aloud` }
    const payload = {
      ...context.payload,
      key_findings: [finding],
      context: { api_key: key, note: key },
    }
    write('a.json', JSON.stringify({ ...context, payload }))
    const all = JSON.stringify(await run('a.json'))
    expect(all).toContain('password=…')
    expect(all).not.toContain(key)
  })

  test('spells out characters that could rewrite a terminal, and leaves emoji whole', async () => {
    const summary = 'red \u001b[31m, turned \u202e, family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
    const payload = { ...context.payload, key_findings: [{ id: 'F-001', summary }] }
    write('a.json', JSON.stringify({ ...context, payload }))
    const text = section(await view('a.json'), 'Findings')?.items?.[0]?.text
    expect(text).toBe(
      'red \\u{1b}[31m, turned \\u{202e}, family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    )
  })

  test('is stable: the same input gives the same JSON', async () => {
    write('a.json', JSON.stringify(context))
    expect(JSON.stringify(await run('a.json'))).toBe(JSON.stringify(await run('a.json')))
  })
})

describe('which document', () => {
  const block = (id: string) =>
    `\`\`\`json\n${JSON.stringify({ ...context, session_id: id })}\n\`\`\`\n\n`

  test('a block is named by the line of its fence', async () => {
    write('a.md', `# Notes\n\n${block('one')}${block('two')}`)
    expect((await run('a.md')).documents.map(d => [d.path, fact(d, 'Session')])).toEqual([
      ['a.md#L3', 'one'],
      ['a.md#L7', 'two'],
    ])
    expect((await run('a.md#L7')).documents.map(d => fact(d, 'Session'))).toEqual(['two'])
    await expect(run('a.md#L4')).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('#L3, #L7'),
    })
  })

  test('more than three are listed instead', async () => {
    write('a.md', ['a', 'b', 'c', 'd'].map(block).join(''))
    const output = await run('a.md')
    expect(output.documents).toEqual([])
    expect(output.listed.map(d => d.path)).toEqual(['a.md#L1', 'a.md#L5', 'a.md#L9', 'a.md#L13'])
  })

  test('a file with # in its name is taken as it is written', async () => {
    write('a.json#L3', JSON.stringify(context))
    expect((await run('a.json#L3')).documents).toHaveLength(1)
  })

  test('standard input is read once', async () => {
    let reads = 0
    const stdin = async () => {
      reads++
      return new TextEncoder().encode(JSON.stringify(context))
    }
    const { documents } = await run('-', { stdin })
    expect([documents[0]?.contract, documents[0]?.accepted, reads]).toEqual([
      'session-context',
      true,
      1,
    ])
    expect(documents[0]?.sections.length).toBeGreaterThan(0)
  })

  test('a folder and a path that does not exist are errors of the call', async () => {
    mkdirSync(join(root, 'folder'))
    await expect(run('folder')).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('waybill check folder'),
    })
    await expect(run('nowhere')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('a document of no known contract is shown as an outline', async () => {
    write('a.json', '{"name": "x", "list": [{"a": 1}], "empty": []}')
    const shown = await view('a.json')
    expect(shown).toMatchObject({
      contract: null,
      accepted: false,
      title: 'Document of unknown contract',
    })
    expect(shown.sections[0]?.items).toEqual([
      { id: 'name', text: 'x' },
      { id: 'list', text: '' },
      { id: '-', text: '', depth: 1 },
      { id: 'a', text: '1', depth: 2 },
      { id: 'empty', text: 'none' },
    ])
  })
})

test('configuration and baseline count as they do in check', async () => {
  const { context: _, ...payload } = context.payload
  write('a.json', JSON.stringify({ ...context, payload }))
  write(
    'waybill.yaml',
    'rules: {session-context/cross-family-has-context: {severity: error, reason: we need it}}',
  )
  expect((await view('a.json')).accepted).toBe(false)
})

const fixture = (id: string, name: string) =>
  readFileSync(join(import.meta.dirname, '../contracts', id, 'fixtures', name), 'utf8')

test('a handoff document shows its staleness and its sections as they stand', async () => {
  write('handoffs/2026-02-11T14-30-00Z-a.md', fixture('handoff-document.v1', 'valid/example.md'))
  const { documents } = await run('handoffs/2026-02-11T14-30-00Z-a.md', {
    now: Date.UTC(2026, 1, 13, 14, 30),
  })
  const [shown] = documents
  if (!shown) throw new Error('nothing was shown')
  expect(fact(shown, 'Staleness')).toBe('slightly stale: written 2 days ago')
  expect(fact(shown, 'Branch')).toBe('feature/session-handoff')
  expect(section(shown, 'Immediate Next Steps')?.text).toMatch(/^1\. /)
})

test('in architect-only mode what has to be decided comes before everything else', async () => {
  const example = fixture('session-state.v1', 'valid/example.yaml')
  const printed = async (text: string) => {
    write('SESSION_STATE.yaml', text)
    const shown = await showForPeople({ path: 'SESSION_STATE.yaml' }, app())
    return showText(shown, (_, words) => words, app())
      .split('\n')
      .filter(line => line !== '')
  }
  const lines = await printed(example)
  expect(lines.slice(2, 4)).toEqual(['To decide now', '  · does ON_HOLD stop invoices?'])
  const places = ['Can wait', 'Decided by the system', '  Phase ', 'Gates']
  const found = places.map(words => lines.findIndex(line => line.startsWith(words)))
  expect(found).toEqual([...found].sort((a, b) => a - b))
  expect(found[0]).toBe(4)
  const empty = await printed(example.replace('["does ON_HOLD stop invoices?"]', '[]'))
  expect(empty.slice(2, 4)).toEqual(['To decide now', '  nothing'])
  const normal = await printed(example.replace('architect-only', 'normal'))
  expect(normal[2]).toContain('Phase')
})

test.each(contracts.map(c => c.name))(
  '%s has a family of its own, and whatever value it gets is shown without failing',
  name => {
    const describeIt = describeFor(name)
    expect(describeIt).not.toBe(describeFor('no such contract'))
    const odd: unknown[] = [
      undefined,
      null,
      7,
      'text',
      [],
      [[]],
      {},
      { payload: 7, tasks: 'x', pipelines: [1], sections: [null], Gates: 'no' },
    ]
    for (const value of odd) {
      const body = describeIt(value, { now: NOW, sound: false })
      expect(Array.isArray(body.facts) && Array.isArray(body.sections)).toBe(true)
    }
  },
)
