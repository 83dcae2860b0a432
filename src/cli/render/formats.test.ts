import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { CheckOutput } from '../../operations/check/output.ts'
import type { App } from '../../operations/operation.ts'
import { github } from './github.ts'
import { junit } from './junit.ts'
import { sarif } from './sarif.ts'

const app = { version: '1.2.3', root: '/repository', cwd: '/repository' } as App
const diagnostic = {
  code: 'schema/required',
  severity: 'error',
  path: '/a~1b',
  line: 3,
  column: 1,
  endLine: 3,
  endColumn: 4,
  message: `'x' is missing & <b>"quoted"</b>, 100%: \u0000\u001b[31m`,
  hint: 'add it:\r\nnow',
} as const
const output: CheckOutput = {
  summary: { documents: 2, accepted: 1, rejected: 1, errors: 1, warnings: 1 },
  documents: [
    {
      path: 'with space/ü#1.md#L7',
      contract: 'session-context',
      version: 'v1',
      accepted: false,
      diagnostics: [
        diagnostic,
        {
          ...diagnostic,
          code: 'session-context/agent-id-names-family',
          severity: 'info',
          endLine: 9,
          endColumn: 1,
        },
      ],
      notRun: [],
      suppressed: [],
    },
    {
      path: 'b.json',
      contract: null,
      version: null,
      accepted: true,
      diagnostics: [{ ...diagnostic, severity: 'warning' }],
      notRun: [],
      suppressed: [],
    },
  ],
  ignored: 0,
  structureOnly: false,
}
const nothing: CheckOutput = {
  ...output,
  documents: [],
  summary: { documents: 0, accepted: 0, rejected: 0, errors: 0, warnings: 0 },
}

const withPassedOver = {
  ...output,
  passedOver: [
    {
      path: 'plans/a,b.yaml',
      contract: 'orchestration',
      why: 'it has keys of the orchestration contract',
      next: 'waybill check plans/a,b.yaml',
    },
  ],
}

describe('SARIF', () => {
  const file = createRequire(import.meta.url).resolve(
    '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  )
  // The standard's schema is written in Draft-04; none of what it uses changed its meaning since, but for the name of `id`.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    schema,
  )

  test.each([
    ['what was found', output],
    ['nothing', nothing],
    ['what was passed over', withPassedOver],
  ])('with %s is valid by the schema of SARIF 2.1.0', async (_, given) => {
    validate(JSON.parse(await sarif(given, app)))
    expect(validate.errors ?? []).toEqual([])
  })

  test('the schema would notice a fault', () => {
    expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false)
  })

  test('every rule says in short and in full what it is, as code scanning shows it', async () => {
    const { rules } = JSON.parse(await sarif(output, app)).runs[0].tool.driver
    expect(rules).toMatchObject([
      {
        id: 'schema/required',
        shortDescription: { text: 'Every required key is present.' },
        fullDescription: { text: expect.stringContaining('lost in the handoff') },
        help: { text: expect.stringContaining('waybill explain schema/required') },
      },
      {
        id: 'session-context/agent-id-names-family',
        shortDescription: { text: expect.stringMatching(/^[A-Z].*\.$/) },
      },
    ])
  })

  test('what was passed over is reported next to the results', async () => {
    const [run] = JSON.parse(await sarif(withPassedOver, app)).runs
    const [{ toolExecutionNotifications: notifications }] = run.invocations
    expect(notifications).toMatchObject([
      {
        level: 'note',
        message: { text: expect.stringContaining('it has keys of the orchestration contract') },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'plans/a%2Cb.yaml' } } }],
      },
    ])
    expect(run.results).toHaveLength(3)
  })

  test('places are relative to the root and encoded', async () => {
    const [result] = JSON.parse(await sarif(output, app)).runs[0].results
    expect(result).toMatchObject({
      ruleId: 'schema/required',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'with%20space/%C3%BC%231.md', uriBaseId: 'ROOT' },
            region: { startLine: 3, startColumn: 1 },
          },
        },
      ],
    })
  })
})

test('a root that lies further down is given from the top of the Git repository', async () => {
  const top = mkdtempSync(join(tmpdir(), 'waybill-formats-'))
  try {
    mkdirSync(join(top, '.git'))
    const below = { ...app, root: join(top, 'packages/one') } as App
    expect(github(output, below)).toContain('::error file=packages/one/with space/ü#1.md,')
    expect(await sarif(output, below)).toContain('"packages/one/with%20space/%C3%BC%231.md"')
  } finally {
    rmSync(top, { recursive: true })
  }
})

describe('GitHub', () => {
  test.each([
    [1, '1 document checked'],
    [2, '2 documents checked'],
  ])('the last line counts %i in words', (documents, words) => {
    const given = { ...output, summary: { ...output.summary, documents } }
    expect(github(given, app).split('\n').at(-1)).toBe(`${words}, 1 rejected`)
  })

  test('annotations escape what would end them early', () => {
    const [line] = github(output, app).split('\n')
    expect(line).toBe(
      `::error file=with space/ü#1.md,line=3,endLine=3,col=1,endColumn=4,title=schema/required::'x' is missing & <b>"quoted"</b>, 100%25: \u0000\u001b[31m%0Aadd it:%0D%0Anow`,
    )
  })

  test('the name of a file may hold what would end it', () => {
    const documents = output.documents.map(d => ({ ...d, path: 'a\nb\rc,d:e%f\u001b.json' }))
    expect(github({ ...output, documents }, app)).toMatch(
      /^::error file=a%0Ab%0Dc%2Cd%3Ae%25f\\u\{1b\}\.json,line=3,/,
    )
  })

  test('what was passed over is a notice at its file', () => {
    expect(github(withPassedOver, app).split('\n').at(-2)).toMatch(
      /^::notice file=plans\/a%2Cb\.yaml,title=skipped::it has keys of the orchestration contract%0A.*waybill check/,
    )
  })

  test('no document can add a command of its own', () => {
    const evil = { ...diagnostic, message: 'x\n::add-mask::y', hint: 'z' }
    const [document] = output.documents
    const documents = document ? [{ ...document, diagnostics: [evil] }] : []
    const lines = github({ ...output, documents }, app).split('\n')
    expect(lines.filter(line => line.startsWith('::'))).toHaveLength(1)
  })
})

describe('JUnit', () => {
  const python = spawnSync('python3', ['--version']).status === 0

  test.skipIf(!python)(
    'is well formed and tells accepted from rejected (skipped without python3, whose parser reads it)',
    () => {
      const program = `
import sys, json, xml.etree.ElementTree as tree
suites = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([[c.get('name'), c.get('classname'), [f.get('type') for f in c.findall('failure')]] for c in suites.iter('testcase')]))`
      const { stdout } = spawnSync('python3', ['-c', program], {
        input: junit(output),
        encoding: 'utf8',
      })
      expect(JSON.parse(stdout)).toEqual([
        ['with space/ü#1.md#L7', 'waybill.session-context', ['schema/required']],
        ['b.json', 'waybill.unrecognised', []],
      ])
    },
  )

  test.skipIf(!python)('what is said keeps its ends of lines (skipped without python3)', () => {
    const message = 'a\rb\tc\r\nd'
    const [document] = output.documents
    const documents = document ? [{ ...document, diagnostics: [{ ...diagnostic, message }] }] : []
    const program = `
import sys, json, xml.etree.ElementTree as tree
[found] = tree.fromstring(sys.stdin.buffer.read()).iter('failure')
print(json.dumps([found.get('message'), found.text]))`
    const { stdout } = spawnSync('python3', ['-c', program], {
      input: junit({ ...output, documents }),
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout)).toEqual([message, expect.stringContaining(message)])
  })

  test('counts what it holds', () => {
    expect(junit(output)).toContain('tests="2" failures="1"')
  })
})
