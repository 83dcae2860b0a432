import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../test/cpu-time.ts'
import { readDocuments } from '../../document/index.ts'
import { checklistOf } from './checklist.ts'

async function commandsIn(checklist: string): Promise<readonly (string | undefined)[]> {
  return (await itemsIn(checklist)).map(({ command }) => command)
}

async function itemsIn(checklist: string) {
  const text = `---\nmode: CREATE\n---\n\n## Decisions Made\n\n- \`rm -rf /\`\n\n## Verification Checklist\n\n${checklist}\n\n## Evidence / Artifacts\n\n\`\`\`sh\nrm -rf /\n\`\`\`\n`
  const { documents } = await readDocuments(text, 'markdown')
  const [document] = documents
  if (!document) throw new Error('there is no document')
  return checklistOf(document)
}

test.each<[string, string, (string | undefined)[]]>([
  ['the first code span of an item', '- [ ] `npm test` prints `41 passed`', ['npm test']],
  ['one in the middle of a sentence', '1. Run `make check` first.', ['make check']],
  ['a prompt is no part of it', '- `$ npm test`', ['npm test']],
  [
    'one in a paragraph',
    'All is well if `npm test` passes.\n\nSo does `make`.',
    ['npm test', 'make'],
  ],
  [
    'a file is none, but a script that is run is',
    '- `src/a.ts` is there\n- `./run.sh`',
    [undefined, './run.sh'],
  ],
  ['an item without code', '- [x] the page looks right', [undefined]],
  [
    'the lines of an item and its further paragraphs',
    '- see that\n  `npm test`\n\n  prints `ok`',
    ['npm test'],
  ],
  ['items in items', '- both\n  - `one`\n  - `two`', [undefined, 'one', 'two']],
  [
    'lines of a shell',
    '```sh\n# all\nnpm ci\n\nnpm test -- \\\n  --run\n```',
    ['npm ci', 'npm test --   --run'],
  ],
  [
    'only what follows a prompt, where there is one',
    '```console\n$ npm test\n41 passed\n```',
    ['npm test'],
  ],
  ['a block of no shell is none', '```\n41 passed\n```\n\n```json\n{}\n```', []],
  ['a comment is none', '<!-- `rm -rf /` -->\n- `ls -l`', ['ls -l']],
  ['in the order of the text', '```sh\nfirst\n```\n\n- `second`', ['first', 'second']],
])('%s', async (_, checklist, commands) => {
  expect(await commandsIn(checklist)).toEqual(commands)
})

test('an item says where it stands and what it says', async () => {
  expect(await itemsIn('- [ ] `npm test`\n  reports 41 tests')).toEqual([
    { line: 11, text: '`npm test` reports 41 tests', command: 'npm test' },
  ])
})

test('the checklist of a large document is read in linear time', async () => {
  const ms = await cpuTimeOf(async () => {
    expect(await itemsIn('- `a b`\n\n'.repeat(40_000))).toHaveLength(40_000)
  })
  expect(ms).toBeLessThan(5000)
})
