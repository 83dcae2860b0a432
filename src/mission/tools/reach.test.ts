import { describe, expect, test } from 'vitest'
import { server, toolGuards } from '../../../test/tool-guard.ts'
import type { Reach } from './reach.ts'

const open = toolGuards()
const HOUR = 3_600_000
const pass = (families: readonly string[], lasts = HOUR) => ({
  pass_id: 'pass_001',
  allowed_resource_families: [...families],
  expires_at: new Date(Date.now() + lasts).toISOString(),
})
const here = { server: 'here', name: 'echo' }
const missions = {
  servers: { here: server() },
  tools: {
    echo: { ...here },
    web: { ...here, families: [] },
    leads: { ...here, families: ['crm.leads'] },
    both: { ...here, families: ['crm.leads', 'crm.chat_logs'] },
    read: { ...here, places: ['text'] },
    mixed: { ...here, families: ['crm.leads'], places: ['text'] },
  },
  places: {
    docs: 'documents',
    'docs/board': 'board.minutes',
    logs: 'logs',
    'https://crm.example/leads': 'crm.leads',
  },
}
const EVERYTHING = ['crm.leads', 'crm.chat_logs', 'documents', 'logs', 'board.minutes']
const guard = (reach: Partial<Reach>) =>
  open(Object.keys(missions.tools), {
    missions,
    reach: { pass: null, scopes: EVERYTHING, ...reach },
  })

/** What is said to one call: nothing where it got through, else the code in its trace. */
async function codeOf(reach: Partial<Reach>, tool: string, text: unknown = 'x') {
  const { tools, traces } = guard(reach)
  const { isError, ref } = await tools.call(tool, { text })
  await tools.close()
  expect(traces).toMatchObject([{ ref, decision: isError ? 'deny' : 'allow', isError }])
  return isError ? traces[0]?.policies.join() : undefined
}

describe('a tool that says what it reaches', () => {
  test.each<readonly [string, Partial<Reach>, string, string | undefined]>([
    [
      'is called within the scopes and the pass of its task',
      { pass: pass(['crm.leads']) },
      'leads',
      undefined,
    ],
    ['is called within the scopes of a task without a pass', {}, 'both', undefined],
    ['that is nothing is called under any pass', { pass: pass([]), scopes: [] }, 'web', undefined],
    [
      'is refused beyond the pass',
      { pass: pass(['crm.chat_logs']) },
      'leads',
      'mission/pass-scope',
    ],
    [
      'is refused where the pass has a part of that',
      { pass: pass(['crm.leads']) },
      'both',
      'mission/pass-scope',
    ],
    [
      'is refused beyond the scopes, whatever the pass says',
      { pass: pass(['crm.leads']), scopes: ['logs'] },
      'leads',
      'mission/data-scope',
    ],
    ['is refused beyond the scopes without a pass', { scopes: [] }, 'leads', 'mission/data-scope'],
    [
      'is refused under a pass that allows nothing',
      { pass: pass([]) },
      'leads',
      'mission/pass-scope',
    ],
    [
      'is refused under a pass for what is above it',
      { pass: pass(['crm']) },
      'leads',
      'mission/pass-scope',
    ],
    [
      'is refused under a pass for what is below it',
      { pass: pass(['crm.leads.mine']) },
      'leads',
      'mission/pass-scope',
    ],
    [
      'is refused under a pass that is spelled otherwise',
      { pass: pass(['CRM.leads']) },
      'leads',
      'mission/pass-scope',
    ],
    [
      'is refused under a pass that has expired',
      { pass: pass(EVERYTHING, -1) },
      'leads',
      'mission/pass-expired',
    ],
    [
      'that is nothing is refused under a pass that has expired',
      { pass: pass([], -1) },
      'web',
      'mission/pass-expired',
    ],
    [
      'is refused under a pass whose end is no time',
      { pass: { ...pass(EVERYTHING), expires_at: 'later' } },
      'web',
      'mission/pass-expired',
    ],
  ])('%s', async (_, reach, tool, code) => {
    expect(await codeOf(reach, tool)).toBe(code)
  })

  test('is not listed where it cannot be called', async () => {
    const { tools } = guard({ pass: pass(['crm.leads']) })
    const names = (await tools.list()).map(({ name }) => name)
    expect(names.sort()).toEqual(['leads', 'mixed', 'read', 'web'])
  })
})

describe('a tool that does not say what it reaches', () => {
  test('is refused under a pass', async () => {
    expect(await codeOf({ pass: pass(EVERYTHING) }, 'echo')).toBe('mission/pass-scope')
  })

  test('is called where there is no pass', async () => {
    expect(await codeOf({ scopes: [] }, 'echo')).toBeUndefined()
  })
})

test('a pass that expires while its task works lets nothing through from then on', async () => {
  const mine = pass(['crm.leads'])
  const { tools, traces } = guard({ pass: mine })
  expect(await tools.call('leads', { text: 'a' })).toMatchObject({ isError: false })
  mine.expires_at = new Date(Date.now() - 1).toISOString()
  const { text } = await tools.call('leads', { text: 'secret' })
  expect(text).toMatch(/expired at .* \(mission\/pass-expired\)/)
  expect(text).not.toContain('secret')
  expect(traces.map(({ decision }) => decision)).toEqual(['allow', 'deny'])
})

describe('an argument that names a place', () => {
  const DOCUMENTS = { pass: pass(['documents']), scopes: EVERYTHING }
  test.each([
    'docs/analysis/night.md',
    'docs/.hidden',
    'docs/été.md',
    'docs/analysis/',
    'docs/a b/c-d_e@f+g=h,i(j)~k',
  ])('leads to what the pass allows: %j', async place => {
    expect(await codeOf(DOCUMENTS, 'read', place)).toBeUndefined()
  })

  test.each([
    ['another family', 'logs/today.log', 'mission/pass-scope'],
    ['a family within one', 'docs/board/minutes.md', 'mission/pass-scope'],
    ['what has another family below it', 'docs', 'mission/pass-scope'],
    ['the same with a slash', 'docs/', 'mission/pass-scope'],
    ['one of several', ['docs/a', 'logs/b'], 'mission/pass-scope'],
    ['a family within one, by case', 'docs/BOARD/minutes.md', 'mission/place-unknown'],
    ['a family within one, by letters that look alike', 'docs/ｂoard/x', 'mission/place-unknown'],
    ['what is spelled otherwise', 'DOCS/a', 'mission/place-unknown'],
    ['a way up', 'docs/../logs/today.log', 'mission/place-unknown'],
    ['a way up at the end', 'docs/a/..', 'mission/place-unknown'],
    ['a way up in other letters', 'docs/．．/logs', 'mission/place-unknown'],
    ['a way up in two dots that are one letter', 'docs/‥/logs', 'mission/place-unknown'],
    ['a way up behind an escape', 'docs/%2e%2e/logs', 'mission/place-unknown'],
    ['a way up with backslashes', 'docs\\..\\logs', 'mission/place-unknown'],
    ['a way up further down', 'docs/a\\..\\..\\logs', 'mission/place-unknown'],
    ['a way that stands still', 'docs/./a', 'mission/place-unknown'],
    ['a way with a gap', 'docs//board/minutes.md', 'mission/place-unknown'],
    ['dots and spaces', 'docs/.. /logs', 'mission/place-unknown'],
    ['a pattern', 'docs/{a,../logs}', 'mission/place-unknown'],
    ['a pattern of one star', 'docs/*', 'mission/place-unknown'],
    ['a variable', 'docs/$HOME', 'mission/place-unknown'],
    ['a command', 'docs/`id`', 'mission/place-unknown'],
    ['a zero byte', 'docs/a\0/../logs', 'mission/place-unknown'],
    ['a line break', 'docs/a\nlogs', 'mission/place-unknown'],
    ['a part of an address', 'docs/board#x', 'mission/place-unknown'],
    ['a line of a file', 'docs/board:3', 'mission/place-unknown'],
    ['a blank behind it', 'docs/board ', 'mission/place-unknown'],
    ['a blank before it', 'docs/ board/minutes.md', 'mission/place-unknown'],
    ['a dot behind it', 'docs/board./minutes.md', 'mission/place-unknown'],
    ['hidden text', 'docs/a\u200b', 'mission/place-unknown'],
    ['another direction', 'docs/a\u202e', 'mission/place-unknown'],
    ['a name that begins alike', 'docs2/a', 'mission/place-unknown'],
    ['a prefix of a place', 'doc', 'mission/place-unknown'],
    ['a whole path', '/docs/a', 'mission/place-unknown'],
    ['a file by its address', 'file:///docs/a', 'mission/place-unknown'],
    ['an address elsewhere', 'https://evil.example/docs/a', 'mission/place-unknown'],
    ['an address with a user', 'https://crm.example/leads@evil.example/', 'mission/place-unknown'],
    ['an address with a way up', 'https://crm.example/leads/../chat', 'mission/place-unknown'],
    ['an address with a question', 'https://crm.example/leads/1?as=admin', 'mission/place-unknown'],
    ['a name of every object', '__proto__', 'mission/place-unknown'],
    ['the root', '', 'mission/place-unknown'],
    ['the folder', '.', 'mission/place-unknown'],
    ['something very long', `docs/${'a'.repeat(5000)}`, 'mission/place-unknown'],
    ['no place', 7, 'mission/place-unknown'],
    ['an object', { path: 'docs/a' }, 'mission/place-unknown'],
    ['no places', [], 'mission/place-unknown'],
    ['nothing', undefined, 'mission/place-unknown'],
  ])('does not lead to %s', async (_, place, code) => {
    expect(await codeOf(DOCUMENTS, 'read', place)).toBe(code)
  })

  test('needs all families at and below it, with those of its tool', async () => {
    const all = { pass: pass(['documents', 'board.minutes']) }
    expect(await codeOf(all, 'read', 'docs')).toBeUndefined()
    expect(await codeOf(all, 'mixed', 'docs')).toBe('mission/pass-scope')
    expect(await codeOf({ pass: pass(EVERYTHING) }, 'mixed', 'docs')).toBeUndefined()
  })
})

describe('the calls of an attempt', () => {
  test('have an end, of which one trace tells, however many come', async () => {
    const { tools, traces } = open(['echo'], { most: 3 })
    const all = await Promise.all(
      Array.from({ length: 50 }, () => tools.call('echo', { text: 'x' })),
    )
    expect(all.filter(({ isError }) => !isError)).toHaveLength(3)
    const said = new Set(all.filter(({ isError }) => isError).map(({ text }) => text))
    expect([...said]).toEqual([
      expect.stringMatching(/has used its 3 calls \(mission\/tool-calls\)/),
    ])
    expect(traces).toHaveLength(4)
    const refs = traces.map(({ ref }) => ref)
    expect(all.every(({ ref }) => refs.includes(ref))).toBe(true)
    expect(traces.filter(({ policies }) => policies[0] === 'mission/tool-calls')).toHaveLength(1)
  })

  test('that were refused count as well', async () => {
    const { tools, traces } = open(['echo'], { most: 2 })
    await tools.call('nothing', {})
    await tools.call('nothing', {})
    await tools.call('echo', { text: 'x' })
    expect(traces.at(-1)).toMatchObject({ decision: 'deny', policies: ['mission/tool-calls'] })
  })

  test('are a thousand by default', async () => {
    const { tools, traces } = open([])
    for (let made = 0; made < 1002; made++) await tools.call('x', {})
    expect(traces).toHaveLength(1001)
  })
})
