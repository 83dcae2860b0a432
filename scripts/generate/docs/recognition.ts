import { existsSync } from 'node:fs'
import type { Contract, Fields, Schema } from '../../../src/contract/index.ts'
import { as } from '../../../src/contract/index.ts'
import { fixturesOf, readFixture } from '../../../test/fixture.ts'
import { code } from './markdown.ts'

/** File names that identify documents of a contract. */
const NAMES = [
  'handoffs/2026-02-11T14-30-00Z-slug.md',
  'HANDOFF.md',
  'docs/handoff.md',
  'ORCHESTRATION.yaml',
  'SESSION_STATE.yaml',
  'prompt-manifest.json',
  'prompt-lock.json',
]
const MOST_KEYS = 6
/** A heading of handoff notes. */
const HEADING = 'Next Steps'

/** Describes how documents of a contract are recognised. */
export async function recognitionOf(contract: Contract, schema: Schema): Promise<string> {
  const { declares, isNamed, wrapper } = contract.recognise
  const name = (schema.properties?.schema_name as { const?: unknown } | undefined)?.const
  const ways: string[] = []
  if (typeof name === 'string') ways.push(`${code('schema_name')} is ${code(name)}`)
  for (const file of NAMES) {
    if (declares?.({}, file, [])) ways.push(`a file named like ${code(file)}`)
    else if (declares?.({}, file, [HEADING]))
      ways.push(`a file named like ${code(file)} with a heading such as ${code(HEADING)}`)
    if (isNamed?.(file)) ways.push(`a file named like ${code(file)} with one of its keys`)
  }
  if (wrapper) ways.push(`the only root key is ${code(wrapper)}`)
  const keys = await signatureKeys(contract)
  if (keys.length > 0) ways.push(`keys such as ${keys.map(code).join(', ')}`)
  return ways.join('; ')
}

/** The root keys that a signature reads, observed with the contract's example. */
async function signatureKeys(contract: Contract): Promise<string[]> {
  const { signature } = contract.recognise
  const example = fixturesOf(contract.id).find(f => f.kind === 'valid' && f.name === 'example')
  if (!signature || !example || !existsSync(example.file)) return []
  const { value } = as(contract, (await readFixture(example)).value)
  const seen = new Set<string>()
  const watched = new Proxy(value as Fields, {
    get(target, key) {
      seen.add(String(key))
      return Reflect.get(target, key)
    },
    getOwnPropertyDescriptor(target, key) {
      seen.add(String(key))
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  })
  if (!signature(watched)) return []
  const keys = [...seen].filter(key => Object.hasOwn(value as object, key))
  return keys.length > MOST_KEYS ? [...keys.slice(0, MOST_KEYS), '…'] : keys
}
