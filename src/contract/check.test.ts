import { describe, expect, test } from 'vitest'
import { readDocuments } from '../document/index.ts'
import { type CheckOptions, checkDocument } from './check.ts'
import { defineContract, type LoadedContract, type StructureError } from './contract.ts'
import { as } from './recognise.ts'
import type { Rules } from './rule.ts'

interface Note {
  id: string
  text?: string
}

const contract = defineContract<Note>({
  id: 'note.v1',
  title: 'Note',
  formats: ['json'],
  recognise: { keys: ['id', 'text'], wrapper: 'note' },
  header: note => ({ id: note.id }),
})

const schema = {
  properties: { id: { description: 'Which note.' }, text: { description: 'What it says.' } },
}

/** A loaded contract whose structure check reports exactly the given errors. */
function load(
  rules: Rules<Note, { files?: object; previous?: object }>,
  errors: StructureError[] = [],
): LoadedContract {
  const validate = Object.assign(() => errors.length === 0, { errors })
  return { contract, schema, validate, rules: rules as unknown as LoadedContract['rules'] }
}

async function run(loaded: LoadedContract, text: string, options: Partial<CheckOptions> = {}) {
  const { documents } = await readDocuments(text, 'json')
  const [document] = documents
  if (!document) throw new Error('nothing was read')
  return checkDocument(document, as(contract, document.value), loaded, { now: 0, ...options })
}

const says = (message: string, more: object = {}) => ({
  severity: 'error' as const,
  summary: 's',
  why: 'w',
  *check() {
    yield { path: ['text'], message }
  },
  ...more,
})

const codes = (result: { diagnostics: readonly { code: string }[] }) =>
  result.diagnostics.map(d => d.code)

describe('a rule', () => {
  test('that could not decide is not run, and what it wanted is said once for all such rules', async () => {
    const open = says('a.json is itself faulty')
    const unsure = {
      ...open,
      *check() {
        for (const finding of open.check())
          yield { ...finding, undecided: 'files', hint: 'see waybill check a.json' }
      },
    }
    const result = await run(load({ one: unsure, two: unsure }), '{"id": "a"}')
    expect(result.notRun).toEqual(['note/one', 'note/two'])
    expect(result.accepted).toBe(false)
    expect(result.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'note/not-checked',
        'not checked: a.json is itself faulty',
        'see waybill check a.json; one and two need the files',
      ],
    ])
  })

  test('that could not decide for many reasons names the first and counts the others', async () => {
    const unsure = (from: number) =>
      says('', {
        *check() {
          for (let i = from; i < 400; i++)
            yield { path: [], undecided: 'files', message: `${i}.json is itself faulty` }
        },
      })
    const result = await run(load({ one: unsure(0), two: unsure(1) }), '{"id": "a"}')
    expect(result.diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
      [
        'not checked: 0.json is itself faulty, and 399 more',
        'supply it; one and two need the files',
      ],
    ])
  })

  test('that finds nothing leaves the document accepted', async () => {
    const result = await run(load({ quiet: { ...says(''), check: () => [] } }), '{"id": "a"}')
    expect(result).toEqual({ accepted: true, diagnostics: [], notRun: [], suppressed: [] })
  })

  test('that warns leaves it accepted too', async () => {
    const result = await run(
      load({ careful: says('hm', { severity: 'warning' }) }),
      '{"text": "a"}',
    )
    expect(result.accepted).toBe(true)
    expect(codes(result)).toEqual(['note/careful'])
  })

  test('one error among warnings is enough for a document not to be accepted', async () => {
    const warning = says('perhaps', { severity: 'warning' })
    const error = says('no')
    const accepted = async (rules: Rules<Note>, errors: StructureError[] = []) =>
      (await run(load(rules, errors), '{"id": "a"}')).accepted
    expect(await accepted({ one: warning, two: warning })).toBe(true)
    expect(await accepted({ one: warning, two: error, three: warning })).toBe(false)
    const missing = { keyword: 'required', instancePath: '', params: { missingProperty: 'text' } }
    expect(await accepted({ one: warning }, [missing])).toBe(false)
    const garbled = await run(load({}), '{"id": "a",}')
    expect(garbled.accepted).toBe(false)
  })

  test('waits while something it reads has a structural fault, and another one does not', async () => {
    const errors = [{ keyword: 'type', instancePath: '/text', params: { type: 'string' } }]
    const rules = {
      'reads-text': says('x', { reads: ['/text'] }),
      'reads-id': says('y', { reads: ['/id'] }),
    }
    const result = await run(load(rules, errors), '{"id": "a", "text": 1}')
    expect(codes(result).sort()).toEqual(['note/reads-id', 'schema/type'])
    expect(result.notRun).toEqual(['note/reads-text'])
  })

  test('that throws is an internal error of ours, and the document is not accepted', async () => {
    const throwing = says('', {
      check: () => {
        throw new Error('boom')
      },
    })
    const result = await run(load({ throwing }), '{}')
    expect(codes(result)).toEqual(['internal/rule-failed'])
    expect(result.accepted).toBe(false)
  })
})

function* filesReported(_: Note, { facts }: { facts: object }) {
  if ('files' in facts) yield { path: [], message: 'reported' }
}

describe('a fact that was not supplied', () => {
  const needing = { one: says('', { needs: ['files'] }), two: says('', { needs: ['files'] }) }

  test('is one error that names the fact and its rules', async () => {
    const result = await run(load(needing), '{}')
    expect(codes(result)).toEqual(['note/not-checked'])
    expect(result.diagnostics[0]?.hint).toContain('supply it; one and two need the files')
    expect(result.notRun).toEqual(['note/one', 'note/two'])
    expect(result.accepted).toBe(false)
  })

  test('says why it could not be had, and how to come by it', async () => {
    const files = { missing: 'no folder', hint: 'make one' }
    const result = await run(load(needing), '{}', { facts: { files } })
    expect(result.diagnostics[0]).toMatchObject({
      message: 'not checked: no folder',
      hint: 'make one; one and two need the files',
    })
  })

  test.each([null, undefined])('is one whose value is %s, too', async value => {
    const rules = { ...needing, asks: says('', { uses: ['files'], check: filesReported }) }
    const result = await run(load(rules), '{}', { facts: { files: { value } } })
    expect(codes(result)).toEqual(['note/not-checked'])
    expect(result.diagnostics[0]?.message).toBe("not checked: 'files' was not supplied")
  })

  test('is not missed where the rule has nothing to decide', async () => {
    const idle = says('', { needs: ['files'], applies: () => false })
    expect(await run(load({ idle }), '{}')).toEqual({
      accepted: true,
      diagnostics: [],
      notRun: [],
      suppressed: [],
    })
  })

  test('of a later phase only keeps its rule from running', async () => {
    const later = says('', { phase: 'transition', needs: ['previous'] })
    const result = await run(load({ later }), '{}')
    expect(result).toEqual({
      accepted: true,
      diagnostics: [],
      notRun: ['note/later'],
      suppressed: [],
    })
  })
})

describe('severities', () => {
  const severities = new Map([['note/loud', { severity: 'off' as const, reason: 'known' }]])

  test('may be changed with a reason, which is shown', async () => {
    const result = await run(load({ loud: says('x') }), '{"text": ""}', { severities })
    expect(result).toMatchObject({
      accepted: true,
      suppressed: [{ code: 'note/loud', line: 1, reason: 'known' }],
    })
  })

  test('of rules about secrets and hashes stay', async () => {
    const result = await run(load({ loud: says('x', { unconditional: true }) }), '{}', {
      severities,
    })
    expect(result.accepted).toBe(false)
  })
})

test('with structure only, no rule runs and all are listed', async () => {
  const result = await run(load({ loud: says('x') }), '{}', { structureOnly: true })
  expect(result).toEqual({ accepted: true, diagnostics: [], notRun: ['note/loud'], suppressed: [] })
})

test('a missing key is shown at the key of its parent, or at the beginning', async () => {
  const required = [{ keyword: 'required', instancePath: '', params: { missingProperty: 'id' } }]
  const plain = await run(load({}, required), '{"text": "a"}')
  expect(plain.diagnostics[0]).toMatchObject({
    path: '/id',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  })
  const wrapped = await run(load({}, required), '{"note": {"text": "a"}}')
  expect(wrapped.diagnostics[0]).toMatchObject({
    path: '/note/id',
    range: { start: { character: 1 }, end: { character: 7 } },
  })
})

test('findings stand in document order, whatever found them', async () => {
  const rules = {
    a: says('second'),
    b: {
      ...says(''),
      *check() {
        yield { path: ['id'], message: 'first' }
      },
    },
  }
  const result = await run(load(rules), '{"id": "a", "text": "b"}')
  expect(result.diagnostics.map(d => d.message)).toEqual(['first', 'second'])
})

test('no message or hint repeats a secret', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const leaking = {
    ...says(''),
    *check() {
      yield { path: [], message: `found ${secret}`, hint: secret }
    },
  }
  const [diagnostic] = (await run(load({ leaking }), '{}')).diagnostics
  expect(JSON.stringify(diagnostic)).not.toContain(secret.slice(8))
})

test('more than a thousand findings are counted, not listed', async () => {
  const many = {
    ...says(''),
    *check() {
      for (let i = 0; i < 2500; i++) yield { path: [], message: 'x' }
    },
  }
  const result = await run(load({ many }), '{}')
  expect(result.diagnostics).toHaveLength(1001)
  expect(result.diagnostics.at(-1)).toMatchObject({
    code: 'document/more-findings',
    message: '1500 further findings not shown',
  })
})

test('what is not shown is not put into words', async () => {
  let worded = 0
  const wordy = {
    path: [],
    get message() {
      worded++
      return 'x'
    },
  }
  const many = { ...says(''), check: () => Array.from({ length: 50 }, () => wordy) }
  await run(load({ many }), '{}', { most: 10 })
  expect(worded).toBe(10)
})

test('no message repeats what the document shows to be a secret', async () => {
  const rules = {
    echo: {
      ...says(''),
      *check({ text }: Note) {
        yield { path: ['text'], message: `found '${text}'` }
      },
    },
  }
  const result = await run(load(rules), '{"password": "tr0ub4dor&3x", "text": "tr0ub4dor&3x"}')
  expect(result.diagnostics[0]?.message).not.toContain('tr0ub')
})
