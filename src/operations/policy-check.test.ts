import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { governedFiles } from '../../test/governed-repository.ts'
import { asPlainUser } from '../../test/plain-user.ts'
import { policyRepository } from '../../test/policies.ts'
import { waybill as run } from '../../test/waybill.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true })
})

function repository(files: Readonly<Record<string, string>>, config = 'policies: policies\n') {
  const root = policyRepository(files)
  roots.push(root)
  writeFileSync(join(root, 'waybill.yaml'), config)
  return root
}

function waybill(cwd: string, ...args: string[]) {
  return run(args, { cwd })
}

const TOOL = 'forbid (principal, action == Waybill::Action::"useTool", resource)'

describe('sound policies', () => {
  const root = repository({
    'a.cedar': `@id("no-shell") @reason("no shell here") ${TOOL} when { resource == Waybill::Tool::"shell" };`,
  })

  test('are listed with their ids after the built-in ones', async () => {
    const { status, stdout } = await waybill(root, 'policy', 'check', '--format', 'json')
    const output = JSON.parse(stdout)
    expect(status).toBe(0)
    expect(output).toMatchObject({
      accepted: true,
      folder: 'policies',
      setDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      summary: { files: 1, policies: 1, builtIn: 14, errors: 0, warnings: 0 },
      diagnostics: [],
    })
    expect(output.policies.at(-1)).toEqual({
      id: 'a.cedar#no-shell',
      effect: 'forbid',
      actions: ['useTool'],
      file: 'policies/a.cedar',
      line: 1,
      reason: 'no shell here',
      remedy: null,
      needs: null,
    })
  })

  test('are shown to people in a few lines', async () => {
    const { status, stdout } = await waybill(root, 'policy', 'check', '--quiet')
    expect(status).toBe(0)
    expect(stdout).toBe('✓ 1 policy in 1 file of policies (14 built in, 0 errors, 0 warnings)\n')
    expect((await waybill(root, 'policy', 'check')).stdout).toMatch(
      /forbid {2}a\.cedar#no-shell +useTool\n {4}no shell here\n/,
    )
  })
})

describe('faulty policies', () => {
  const root = repository({ 'a.cedar': `${TOOL} when { context.x };\n${TOOL} when { false };` })

  test('end with 1 and a frame for each fault', async () => {
    const { status, stdout } = await waybill(root, 'policy', 'check', '--quiet')
    expect(status).toBe(1)
    expect(stdout).toContain("error[policy/type] attribute 'x' in context")
    expect(stdout).toContain('╭─ policies/a.cedar:1:75\n')
    expect(stdout).toContain('when { context.x };\n')
    expect(stdout).toContain('warning[policy/never-applies]')
    expect(stdout).toMatch(/✗ 2 policies .*1 error, 1 warning\)\n$/)
  })

  test('are the same in JSON, without the line of source, every time', async () => {
    const line = ['policy', 'check', '--format', 'json']
    const [one, other] = [await waybill(root, ...line), await waybill(root, ...line)]
    expect(one.stdout).toBe(other.stdout)
    const [diagnostic] = JSON.parse(one.stdout).diagnostics
    expect(diagnostic).toEqual({
      code: 'policy/type',
      severity: 'error',
      file: 'policies/a.cedar',
      line: 1,
      column: 75,
      endLine: 1,
      endColumn: 84,
      message: expect.stringContaining("attribute 'x'"),
      hint: expect.any(String),
    })
  })

  test('have codes that are explained', async () => {
    const { status, stdout } = await waybill(root, 'explain', 'policy/type')
    expect([status, stdout]).toEqual([0, expect.stringContaining('policy/type')])
  })
})

describe('agents that policies name', () => {
  const to = (id: string) => `Waybill::Agent::"${id}"`
  const head = 'action == Waybill::Action::"handoff"'
  const unknown = async (text: string, files = governedFiles('')) => {
    const root = repository({ 'a.cedar': text })
    for (const [path, body] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), body)
    }
    const { status, stdout } = await waybill(root, 'policy', 'check', '--format', 'json')
    expect(status).toBe(0)
    return JSON.parse(stdout).diagnostics
  }

  test.each([
    ['its head', `forbid (principal == ${to('domain-05-prodct')}, ${head}, resource);`, 22],
    [
      'a list',
      `forbid (principal, ${head}, resource) when { [${to('domain-05-prodct')}].contains(resource) };`,
      76,
    ],
    [
      'a condition',
      `forbid (principal, ${head}, resource) when { principal == ${to('domain-05-prodct')} };`,
      88,
    ],
  ])('are reported where the manifest lacks one that stands in %s', async (_, text, column) => {
    expect(await unknown(text)).toMatchObject([
      {
        ...{ code: 'policy/unknown-agent', severity: 'warning', file: 'policies/a.cedar' },
        ...{ line: 1, column, hint: 'did you mean domain-05-product?' },
      },
    ])
  })

  test('are not reported where the manifest knows them', async () => {
    const known = `forbid (principal == ${to('domain-05-product')}, ${head}, resource);`
    expect(await unknown(known)).toEqual([])
  })

  test('are reported once where there is no manifest to compare them with', async () => {
    const named = `forbid (principal == ${to('domain-05-nobody')}, ${head}, resource == ${to('domain-07-nobody')});`
    expect(await unknown(named, {})).toMatchObject([
      {
        ...{ code: 'policy/agents-not-compared', severity: 'warning', line: 1, column: 22 },
        message: expect.stringContaining('prompt-manifest.json does not exist'),
      },
    ])
    expect(await unknown(`forbid (principal, ${head}, resource);`, {})).toEqual([])
  })
})

test('another folder is checked before it counts', async () => {
  const root = repository({})
  mkdirSync(join(root, 'drafts'))
  writeFileSync(join(root, 'drafts/a.cedar'), 'permit (principal, action, resource);')
  expect((await waybill(root, 'policy', 'check')).status).toBe(0)
  const { status, stdout } = await waybill(root, 'policy', 'check', 'drafts')
  expect([status, stdout]).toEqual([1, expect.stringContaining('drafts/a.cedar:1:1')])
})

test('named policies are validated although the configuration is at fault', async () => {
  const root = repository({}, 'policies: [\n')
  mkdirSync(join(root, 'drafts'))
  writeFileSync(join(root, 'drafts/a.cedar'), `@id("a") @reason("a") ${TOOL};`)
  const { status, stderr } = await waybill(root, 'policy', 'check', 'drafts')
  expect([status, stderr]).toEqual([0, ''])
  expect((await waybill(root, 'policy', 'check')).status).toBe(2)
})

test('without policies of its own a repository has the built-in ones', async () => {
  const { status, stdout } = await waybill(repository({}, '# none\n'), 'policy', 'check', '--quiet')
  expect(status).toBe(0)
  expect(stdout).toContain('waybill.yaml configures no policies (14 built in')
})

test.each([
  ['a folder that is not there', ['nowhere'], 'the folder nowhere does not exist'],
  ['a file', ['waybill.yaml'], 'waybill.yaml is a file'],
])('%s ends with 2', async (_, args, message) => {
  const { status, stderr } = await waybill(repository({}), 'policy', 'check', ...args)
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('a folder of policies that may not be read is a fault with its place', () => {
  const root = repository({})
  mkdirSync(join(root, 'policies/secret'))
  chmodSync(join(root, 'policies/secret'), 0)
  const { status, stdout } = asPlainUser(root, 'policy', 'check')
  expect(stdout).toContain('policy/unreadable')
  expect(stdout).toContain('policies/secret')
  expect(status).toBe(1)
})

test('a manifest behind links in a circle is reported as unreadable', async () => {
  const root = repository(
    { 'a.cedar': `forbid (principal == Waybill::Agent::"domain-05-product", action, resource);` },
    'policies: policies\nagents: { manifest: loop/m.json, lock: loop/l.json }\n',
  )
  symlinkSync('loop', join(root, 'loop'))
  const { status, stdout } = await waybill(root, 'policy', 'check', '--format', 'json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout).diagnostics).toMatchObject([
    { code: 'policy/agents-not-compared', message: expect.stringContaining('(ELOOP)') },
  ])
})
