import { existsSync, readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { contractIds } from '../generate/contracts.ts'
import { root } from '../generate/write.ts'
import { change, mustBeName, Refusal, read, writeNew } from './write.ts'

/** Scaffolds a rule: entry, two fixtures and a requirement row; the fixture test fails until the rule works. */
export async function newRule(given: string): Promise<readonly string[]> {
  const [contract = '', rule = '', ...rest] = given.split('/')
  if (rule === '' || rest.length > 0) throw new Refusal('write a rule as <contract>/<rule>')
  mustBeName(rule, 'a rule')
  const ids = contractIds()
  const id = ids.includes(contract) ? contract : ids.findLast(i => nameOf(i) === contract)
  if (!id)
    throw new Refusal(`unknown contract '${contract}'; use one of ${ids.map(nameOf).join(', ')}`)
  const folder = `src/contracts/${id}`
  const { rules } = (await import(join(root, folder, 'rules.ts'))) as { rules: object }
  if (Object.hasOwn(rules, rule)) throw new Refusal(`${nameOf(id)} already has a rule '${rule}'`)
  const entry = withEntry(read(`${folder}/rules.ts`), rule)
  writeNew(fixtures(folder, rule))
  change(`${folder}/rules.ts`, entry)
  change(`${folder}/requirements.yaml`, withRow(folder, nameOf(id), rule))
  return [
    `write the rule in ${folder}/rules.ts, and its source in its row of requirements.yaml`,
    `change fixtures/valid/${rule}.* so that it just passes, and fixtures/invalid/${rule}.* so that it fails`,
    'npm run generate',
    `npx vitest run test/fixtures.test.ts -t '${id}' --update`,
  ]
}

const nameOf = (id: string) => id.slice(0, id.lastIndexOf('.'))

const END = /^\} (?:as const )?satisfies Rules/m

function withEntry(text: string, rule: string): string {
  const end = END.exec(text)?.index
  if (end === undefined) throw new Refusal('its rules.ts does not end in `} satisfies Rules<…>`')
  const entry = `  '${rule}': {
    severity: 'error',
    summary: 'The condition that must hold, in one sentence.',
    why: 'Why it matters to the reader of the document.',
    reads: [''],
    check: () => [],
  },
`
  return text.slice(0, end) + entry + text.slice(end)
}

/** Both start as the contract's example. */
function fixtures(folder: string, rule: string): Record<string, string> {
  const valid = `${folder}/fixtures/valid`
  const files = existsSync(join(root, valid)) ? readdirSync(join(root, valid)) : []
  const isExample = (file: string) =>
    basename(file, extname(file)) === 'example' && extname(file) !== '.out'
  const example = files.find(isExample)
  if (!example) throw new Refusal(`${valid} has no example to copy`)
  const text = read(`${valid}/${example}`)
  const file = `${rule}${extname(example)}`
  return { [`${valid}/${file}`]: text, [`${folder}/fixtures/invalid/${file}`]: text }
}

function withRow(folder: string, contract: string, rule: string): string {
  const path = `${folder}/requirements.yaml`
  const text = existsSync(join(root, path)) ? read(path) : ''
  const ids = [...text.matchAll(/^- id: ([A-Z]+)-([0-9]+)/gm)]
  const prefix = ids.at(-1)?.[1] ?? contract.replace(/([a-z])[a-z0-9]*-?/g, '$1').toUpperCase()
  const last = Math.max(0, ...ids.filter(([, p]) => p === prefix).map(([, , n]) => Number(n)))
  const row = `- id: ${prefix}-${String(last + 1).padStart(3, '0')}
  level: MUST
  source: The heading on the page, or the ruling
  text: What must hold, in our own words.
  check: ${contract}/${rule}
`
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${row}`
}
