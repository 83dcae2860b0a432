import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { propertiesIn } from '../../../test/test-titles.ts'
import { root } from '../write.ts'
import { code, GENERATED, page, prose, table } from './markdown.ts'

/** What the tests prove, by the folder of what they test. */
export function proofsPage(): string {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort()
  const areas = [...new Set(files.map(areaOf))]
  return page(
    GENERATED,
    '# What the tests prove',
    'Each row is one property and the test that fails without it. A property is proved once; a title with `%s` stands ' +
      'for a table of cases. `npm run test:mutation` shows which changes of the code no test notices.',
    ...areas.flatMap(area => [`## ${area}`, tableOf(files.filter(file => areaOf(file) === area))]),
  )
}

const areaOf = (file: string) => file.split('/').slice(0, -1).slice(0, 2).join('/')

function tableOf(files: readonly string[]): string {
  const rows = files.flatMap(file => {
    const link = `[${code(file.split('/').slice(-1).join())}](../../${file})`
    const properties = propertiesIn(readFileSync(join(root, file), 'utf8'))
    return [...new Set(properties)].filter(Boolean).map(property => [prose(property), link])
  })
  return table(['Property', 'Test'], rows)
}
