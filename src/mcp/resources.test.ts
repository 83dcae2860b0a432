import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type HandoffRepository,
  NOON,
  openHandoffRepository,
} from '../../test/handoff-repository.ts'
import { connectHere } from '../../test/mcp-client.ts'
import { verbs } from '../../test/output.ts'
import { PROGRAM } from '../../test/program.ts'
import { openTestFolder } from '../../test/test-folder.ts'
import { fileNameOf } from '../operations/operation.ts'
import { catalogue } from './catalogue.generated.ts'
import { agentEntries, schemaUriOf } from './tools.ts'

let repo: HandoffRepository
let client: Client
beforeAll(async () => {
  repo = openHandoffRepository()
  repo.handoff('first', 2)
  client = await connectHere({ root: repo.root, now: new Date(NOON).toISOString() })
})
afterAll(async () => {
  await client.close()
  repo.remove()
})

async function read(uri: string, by = client): Promise<string> {
  const { contents } = await by.readResource({ uri })
  const [first] = contents
  return first && 'text' in first ? first.text : ''
}

test('the brief, what is in force and the contracts are resources', async () => {
  expect(await read('waybill://brief')).toMatch(/^--- waybill brief /)
  const { inForce, open } = JSON.parse(await read('waybill://in-force'))
  expect(inForce[0]).toMatchObject({ id: expect.any(String), kind: 'decision' })
  expect(open[0]).toMatchObject({ number: 1 })
  expect(JSON.parse(await read('waybill://contracts')).contracts.length).toBeGreaterThan(10)
  expect(await read('waybill://contract/handoff-note')).toContain('handoff-note/')
  await expect(read('waybill://log/checkpoint')).rejects.toThrow(/log/)
})

test('the schema of every answer is a resource, and its tool names it', async () => {
  for (const { operation } of agentEntries(catalogue)) {
    const { $id } = JSON.parse(await read(schemaUriOf(operation.name)))
    expect($id).toBe(`urn:waybill:schema:output:${fileNameOf(operation.name)}`)
  }
  await expect(read('waybill://schema/init')).rejects.toThrow('there is no operation init')
  expect(verbs).toContain('init')
})

test('resources outside of a repository are refused as tools are', async () => {
  const folder = openTestFolder()
  const outside = await connectHere({}, {}, folder.root)
  await expect(read('waybill://brief', outside)).rejects.toThrow('waybill mcp --root')
  await outside.close()
  folder.remove()
})

test('a person finds prompts to hand over, to resume and to add a rule', async () => {
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['hand-over', 'resume', 'add-a-rule'])
  for (const { name } of prompts) {
    const { messages } = await client.getPrompt({ name })
    expect(JSON.stringify(messages)).toContain('all the tool')
  }
})

test('a message that is too long ends the server with an error', async () => {
  const server = spawn(process.execPath, [PROGRAM, 'mcp', '--root', repo.root])
  let errors = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  server.stdin.on('error', () => {})
  server.stdin.write('x'.repeat(11 * 1024 * 1024))
  const [code] = await once(server, 'close')
  expect(code).toBe(2)
  expect(errors).toContain('a message is longer than the limit')
})
