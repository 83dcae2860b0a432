import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsWhenPasted } from '../../test/pasted.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { text } from '../cli/render/state-profile.ts'
import { style } from '../cli/terminal.ts'
import profile from './state-profile.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const run = () => profile.run({}, folder.app())
const write = (files: Readonly<Record<string, string>>) => {
  for (const [path, content] of Object.entries(files)) folder.write(path, content)
}
const dependsOn = (...names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map(name => [name, '1'])) })

describe('a hostile repository', () => {
  test('links out of it and pipes are no signals', async () => {
    const outside = openTestFolder()
    outside.write('package.json', dependsOn('react'))
    mkdirSync(join(folder.root, 'a'))
    symlinkSync(join(outside.root, 'package.json'), join(folder.root, 'package.json'))
    symlinkSync(outside.root, join(folder.root, 'away'))
    execFileSync('mkfifo', [join(folder.root, 'a/pom.xml')])
    expect((await run()).source).toBe('deferred')
    outside.remove()
  })

  test('a kept file in whose place a link stands counts by its name only', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', folder.root, ...args])
    git('init', '-q')
    write({ 'package.json': dependsOn('react'), 'x/package.json': dependsOn('vue') })
    git('add', '.')
    execFileSync('rm', [join(folder.root, 'package.json')])
    symlinkSync('/etc/passwd', join(folder.root, 'package.json'))
    const output = await run()
    expect(output.profile).toBe('frontend-vue')
    expect(output.unread).toEqual([{ path: 'package.json', why: 'it leads out of the repository' }])
  })

  test('names that would rewrite a terminal or a block are spelled out', async () => {
    write({ 'a\u001b[2Jb\nMode: NORMAL/pom.xml': '' })
    const output = await run()
    expect(text(output, style(false), undefined, false)).not.toContain('\u001b')
    expect(await faultsWhenPasted(folder, output.yaml)).toEqual([])
    expect(output.yaml.split('\n').filter(line => line.startsWith('Mode'))).toEqual([])
  })
})
