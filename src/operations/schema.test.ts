import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contracts } from '../contracts/index.ts'
import type { App } from './operation.ts'
import schema from './schema.ts'

const app: App = { now: 0, root: '/', cwd: '/', version: '0', stdin: async () => new Uint8Array() }
const run = (name?: string) => schema.run(name === undefined ? {} : { name }, app)
const published = (id: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../schemas/${id}.json`), 'utf8'))

test('without a name, every contract is listed with the id of its schema', async () => {
  const output = await run()
  const listed = 'contracts' in output ? output.contracts : []
  expect(listed.map(c => c.name)).toEqual(contracts.map(c => c.name))
  expect(listed.find(c => c.name === 'session-context')).toEqual({
    name: 'session-context',
    version: 'v1',
    title: 'Session context',
    formats: ['json', 'yaml'],
    schemaId: 'urn:waybill:schema:session-context.v1',
  })
})

test.each(['session-context', 'session-context.v1', 'urn:waybill:schema:session-context.v1'])(
  '%s prints the published schema',
  async name => {
    expect(await run(name)).toEqual(published('session-context.v1'))
  },
)

test('config prints the schema of waybill.yaml', async () => {
  expect(await run('config')).toEqual(published('config.v1'))
})

test('an unknown name is an error that names the one that was probably meant', async () => {
  await expect(run('sesion_context')).rejects.toMatchObject({
    code: 'not-found',
    hint: 'did you mean session-context?',
  })
  await expect(run('nothing like it')).rejects.toMatchObject({
    hint: 'waybill schema lists the contracts',
  })
  await expect(run('__proto__')).rejects.toMatchObject({ code: 'not-found' })
})
