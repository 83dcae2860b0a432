import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import { sha256 } from '../../workspace/index.ts'
import { noteAnswer } from './answers.ts'
import { replacedAt, whyOccupied } from './places.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const asked = async (path: string) => [
  await whyOccupied(path, folder.app()),
  await replacedAt(path, folder.app()),
]

test.each([
  ['compact', JSON.stringify(JSON.parse(SOUND))],
  ['indented by four', JSON.stringify(JSON.parse(SOUND), null, 4)],
])(
  'a context that is written %s may be written over when an agent begins, and when it answers',
  async (_, text) => {
    folder.write('out.json', text)
    noteAnswer('out.json', sha256(text), folder.app())
    expect(await asked('out.json')).toEqual([undefined, { replaced: sha256(text) }])
  },
)

test.each(['out.yaml', 'out.md'])(
  'an agent’s other text in the file of its context in %s is overwritten with the context',
  async path => {
    const words = path.endsWith('.md')
      ? `# Found\n\nMuch.\n\n\`\`\`json\n${SOUND}\n\`\`\`\n`
      : `# found\n${SOUND}\n`
    folder.write(path, words)
    noteAnswer(path, sha256(words), folder.app())
    expect(await asked(path)).toEqual([undefined, { replaced: sha256(words) }])
    folder.write(path, `${words}\n# more\n`)
    expect((await asked(path))[0]).toContain('holds something other')
  },
)

test('what a person has added to a context is not written over at either time', async () => {
  folder.write('out.yaml', `# mind this\n${JSON.stringify(JSON.parse(SOUND))}\n`)
  const why = expect.stringContaining('holds something other')
  expect(await asked('out.yaml')).toEqual([why, { why }])
})

test.each(['k'.repeat(300), 'loop/out'])(
  'a place that no file can have is reported as that: %s',
  async name => {
    symlinkSync('loop', join(folder.root, 'loop'))
    const why = expect.stringContaining('is not a file')
    expect(await asked(`${name}.json`)).toEqual([why, { why }])
  },
)
