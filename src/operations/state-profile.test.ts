import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { faultsWhenPasted, STATE } from '../../test/pasted.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { text } from '../cli/render/state-profile.ts'
import { style } from '../cli/terminal.ts'
import { formatYaml, type Json } from '../document/index.ts'
import profile from './state-profile.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

type Input = Parameters<typeof profile.run>[0]
const run = (input: Input = {}) => profile.run(input, folder.app())
const write = (files: Readonly<Record<string, string>>) => {
  for (const [path, content] of Object.entries(files)) folder.write(path, content)
}
const writeState = (more: Readonly<Record<string, Json>> = {}) =>
  folder.write('SESSION_STATE.yaml', formatYaml({ ...STATE, ...more }))
const dependsOn = (...names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map(name => [name, '1'])) })

const TWO = {
  'apps/web/package.json': dependsOn('react'),
  'services/orders/pom.xml': '<project/>',
  'services/orders/src/Orders.java': '',
  'services/jobs/src/jobs.py': '',
}

describe('one look at a repository', () => {
  test.each<[why: string, files: Record<string, string>, profile: string, source: string]>([
    ['Maven', { 'pom.xml': '' }, 'backend-java', 'auto-detected-single'],
    [
      'Gradle for Android',
      { 'build.gradle': 'com.android.application' },
      'mobile-android',
      'auto-detected-single',
    ],
    ['.NET', { 'src/Api/Api.csproj': '' }, 'backend-dotnet', 'auto-detected-single'],
    ['Go', { 'go.mod': '' }, 'backend-go', 'auto-detected-single'],
    [
      'Angular',
      { 'package.json': dependsOn('@angular/core', 'express') },
      'frontend-angular',
      'auto-detected-single',
    ],
    [
      'Angular with Nx',
      { 'nx.json': '{}', 'package.json': dependsOn('@angular/core') },
      'frontend-angular-nx',
      'auto-detected-single',
    ],
    [
      'Next before React',
      { 'package.json': dependsOn('react', 'next') },
      'frontend-nextjs',
      'auto-detected-single',
    ],
    [
      'a frontend and a whole server',
      { 'package.json': dependsOn('react', '@nestjs/core') },
      '',
      'ambiguous',
    ],
    [
      'tooling next to Java',
      { 'pom.xml': '', 'package.json': '{}' },
      'backend-java',
      'auto-detected-single',
    ],
    [
      'a program of its own',
      { 'package.json': '{"private": true, "bin": "a.js"}' },
      'backend-node',
      'auto-detected-single',
    ],
    [
      'a program next to Python',
      { 'package.json': '{"dependencies": {"pg": "1"}}', 'python/pyproject.toml': '' },
      '',
      'ambiguous',
    ],
    [
      'the frame of workspaces',
      {
        'package.json': '{"workspaces": ["a"], "dependencies": {"pg": "1"}}',
        'a/package.json': dependsOn('vue'),
      },
      'frontend-vue',
      'auto-detected-single',
    ],
    ['nothing but tooling', { 'package.json': '{}' }, 'backend-node', 'repo-fallback'],
    ['a package.json that is none', { 'package.json': '{' }, 'backend-node', 'repo-fallback'],
    [
      'one that names what it inherits',
      {
        'package.json':
          '{"dependencies": ["react"], "__proto__": {"dependencies": {"react": "1"}}}',
      },
      'backend-node',
      'repo-fallback',
    ],
    [
      'React Native with its parts',
      {
        'package.json': dependsOn('react-native', 'react'),
        'android/build.gradle': 'com.android',
        'ios/Podfile': '',
      },
      'mobile-react-native',
      'auto-detected-single',
    ],
    [
      'examples do not count',
      { 'go.mod': '', 'examples/web/package.json': dependsOn('vue') },
      'backend-go',
      'auto-detected-single',
    ],
    [
      'nothing but an example',
      { 'examples/web/package.json': dependsOn('vue') },
      'frontend-vue',
      'repo-fallback',
    ],
    ['two of them', TWO, '', 'ambiguous'],
    [
      'one rulebook and nothing built',
      { 'docs/rules.backend-java.md': '' },
      'backend-java',
      'repo-fallback',
    ],
    ['two rulebooks and nothing built', { 'rules.a.md': '', 'profile.b.md': '' }, '', 'ambiguous'],
    [
      'a rulebook for a wider profile',
      {
        'nx.json': '{}',
        'package.json': dependsOn('@angular/core'),
        'rules.frontend-angular.md': '',
      },
      'frontend-angular',
      'auto-detected-single',
    ],
    ['nothing at all', { 'notes.txt': '' }, '', 'deferred'],
  ])('%s', async (_, files, found, source) => {
    write(files)
    const output = await run()
    expect(faultsOf('state profile', output)).toEqual([])
    expect([output.profile, output.source]).toEqual([found, source])
    expect(profile.failed?.(output)).toBe(source === 'ambiguous')
    expect(await faultsWhenPasted(folder, output.yaml)).toEqual(
      source === 'deferred'
        ? [
            'session-state/profile-known-after-detection',
            'session-state/profile-known-after-detection',
          ]
        : [],
    )
  })
})

describe('a component scope', () => {
  test.each<[why: string, scope: string[], profile: string, source: string]>([
    ['leaves the other out', ['services/orders'], 'backend-java', 'component-scope-filtered'],
    [
      'below a manifest is determined by it',
      ['services/orders/src'],
      'backend-java',
      'component-scope-inferred',
    ],
    ['may be a glob', ['apps/**'], 'frontend-react', 'component-scope-filtered'],
    ['that holds both decides nothing', ['services', 'apps'], '', 'ambiguous'],
    ['without any signal decides nothing', ['services/jobs'], '', 'ambiguous'],
    ['that is everything decides nothing', ['.'], '', 'ambiguous'],
  ])('%s', async (_, scope, found, source) => {
    write(TWO)
    const output = await run({ scope })
    expect(faultsOf('state profile', output)).toEqual([])
    expect([output.profile, output.source]).toEqual([found, source])
    expect(await faultsWhenPasted(folder, output.yaml)).toEqual([])
    expect(output.yaml.includes('ComponentScopePaths')).toBe(source !== 'ambiguous')
    expect(output.conflicts.map(({ resolvedBy }) => resolvedBy)).toEqual([
      source === 'ambiguous' ? null : 'the component scope',
    ])
  })

  test('decides nothing where there is nothing to choose from', async () => {
    write({ 'pom.xml': '', 'src/A.java': '' })
    expect((await run({ scope: ['src'] })).source).toBe('auto-detected-single')
  })

  test('of the state counts, and what leads out of the repository is left out', async () => {
    write(TWO)
    writeState({ ComponentScopePaths: ['../other', '/etc', 'services/orders'] })
    const output = await run()
    expect(output.scope).toEqual(['services/orders'])
    expect(output.ignored).toEqual([
      { path: '../other', why: 'is outside the repository' },
      { path: '/etc', why: 'is absolute' },
    ])
    expect([output.source, output.agreement?.agrees]).toEqual(['component-scope-filtered', true])
  })

  test('of the call that leads out is an error of the call', async () => {
    await expect(run({ scope: ['../other'] })).rejects.toMatchObject({ code: 'usage' })
  })

  test('of an Nx project is determined by its executors', async () => {
    write({
      'nx.json': '{}',
      'package.json': dependsOn('@angular/core', '@nestjs/core'),
      'apps/web/project.json':
        '{"targets": {"build": {"executor": "@angular-devkit/build-angular:browser"}}}',
      'apps/api/project.json': '{"targets": {"build": {"executor": "@nx/node:build"}}}',
    })
    expect((await run({ scope: ['apps/web'] })).profile).toBe('frontend-angular-nx')
    expect((await run({ scope: ['apps/api'] })).profile).toBe('backend-node')
    expect((await run()).source).toBe('ambiguous')
  })
})

test('an ambiguous profile blocks, and the one input that decides is named', async () => {
  write(TWO)
  const output = await run()
  expect(output.mode).toBe('BLOCKED')
  expect(output.decides).toBe(
    'the profile of the session: backend-java or frontend-react; or the component scope',
  )
  expect(output.conflictPoints).toBe(-15)
  expect(text(output, style(false), undefined, true)).toContain('Next: "BLOCKED-ActiveProfile')
  expect(text(output, style(false), undefined, false)).toContain('BLOCKED: the profile')
})

test('two ways of building one folder are a conflict, whatever else is clear', async () => {
  write({ 'pom.xml': '', 'build.gradle.kts': '' })
  const output = await run()
  expect(output.profile).toBe('backend-java')
  expect(output.conflicts).toEqual([
    {
      about: 'one folder has 2 build systems',
      paths: ['pom.xml', 'build.gradle.kts'],
      resolvedBy: null,
    },
  ])
  expect(output.conflictPoints).toBe(-15)
})
