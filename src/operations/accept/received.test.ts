import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import { readRecords, sha256 } from '../../workspace/index.ts'
import accept from '../accept.ts'
import check from '../check.ts'
import type { App } from '../operation.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const sound = JSON.parse(SOUND)
const run = (given: { path?: string; output?: string } = {}, more: Partial<App> = {}) =>
  accept.run({ path: 'in.json', session: 's-1', ...given }, folder.app(more))
const recorded = () => readRecords(folder.root, 'urn:waybill:record:accept').records

describe('what is passed on', () => {
  beforeEach(() => folder.write('in.json', SOUND))

  test('is written as a context that is itself accepted', async () => {
    const output = await run({ output: 'out.json' })
    const text = readFileSync(join(folder.root, 'out.json'), 'utf8')
    expect(output).toMatchObject({ output: 'out.json', contextSha256: sha256(text) })
    expect((await check.run({ paths: ['out.json'] }, folder.app())).summary.accepted).toBe(1)
  })

  test.each([
    ['over an existing file', 'in.json', 'exists'],
    ['outside the repository', '../out.json', 'usage'],
    ['through a link out of it', 'away/out.json', 'usage'],
    ['into a folder that is not there', 'no/out.json', 'not-found'],
  ])('is not written %s, and then nothing is recorded', async (_, output, code) => {
    symlinkSync('/tmp', join(folder.root, 'away'))
    await expect(run({ output })).rejects.toMatchObject({ code })
    expect(recorded()).toEqual([])
  })
})

describe('a context is found', () => {
  test('on standard input', async () => {
    for (const text of [SOUND, `# A comment of YAML.\n${SOUND}`]) {
      const stdin = async () => new TextEncoder().encode(text)
      expect(await run({ path: '-' }, { stdin })).toMatchObject({ accepted: true, path: '-' })
    }
  })

  test('wrapped, as YAML and with a byte order mark', async () => {
    folder.write('in.yaml', `\ufeffsession_context: ${JSON.stringify(sound)}\n`)
    expect(await run({ path: 'in.yaml' })).toMatchObject({ accepted: true, context: sound })
  })

  test('in a block of Markdown, by its line where there are several', async () => {
    const block = `\`\`\`json\n${SOUND}\n\`\`\`\n`
    folder.write('one.md', `# Report\n\n${block}`)
    expect(await run({ path: 'one.md' })).toMatchObject({ accepted: true, path: 'one.md#L3' })
    folder.write('two.md', `${block}\n${block.replace('It works.', 'Twice.')}`)
    await expect(run({ path: 'two.md' })).rejects.toMatchObject({ code: 'usage' })
    const second = `two.md#L${SOUND.split('\n').length + 4}`
    expect(await run({ path: second })).toMatchObject({
      context: { payload: { key_findings: [{ summary: 'Twice.' }] } },
    })
  })

  test('not in Markdown that holds none', async () => {
    folder.write('none.md', '# Report\n')
    expect(await run({ path: 'none.md' })).toMatchObject({
      accepted: false,
      diagnostics: [{ code: 'document/unrecognised' }],
    })
    folder.write('other.md', '```json\n{"SESSION_STATE": {}}\n```\n')
    await expect(run({ path: 'other.md' })).rejects.toMatchObject({ code: 'usage' })
  })
})
