// The minimal work of a script on handoff documents: read each and parse its frontmatter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

const folder = process.argv[2]
let modes = 0
for (const name of readdirSync(folder, { recursive: true })) {
  if (!name.endsWith('.md')) continue
  const text = readFileSync(join(folder, name), 'utf8')
  const { mode } = load(text.slice(4, text.indexOf('\n---', 4)))
  if (mode === 'CREATE' || mode === 'RESUME') modes++
}
process.exitCode = modes > 0 ? 0 : 1
