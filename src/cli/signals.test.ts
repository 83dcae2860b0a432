import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANALYSIS, codesOf, openPair, type Pair, PRODUCT } from '../../test/governed-pair.ts'
import { draftOf, type GovernedRepository } from '../../test/governed-repository.ts'

const program = join(import.meta.dirname, 'waybill.ts')
const preload = join(import.meta.dirname, '../../test/signalled.ts')

let pair: Pair
beforeEach(async () => {
  pair = await openPair()
})
afterEach(() => pair.remove())

/** Runs a command line that hears signals when its first entry is on the disk. */
async function signalled(
  { root }: GovernedRepository,
  signals: string,
  ...args: readonly string[]
) {
  const line = ['--import', `${preload}?${signals}`, program, ...args, '--format', 'json']
  const child = spawn(process.execPath, line, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s while an answer is being recorded lets it be given first', async (signal, code) => {
  const path = await pair.bring()
  const { status, stdout, stderr } = await signalled(pair.receiver, signal, 'receive', path)
  expect(JSON.parse(stdout)).toMatchObject({ answer: 'accepted', receiptFile: expect.any(String) })
  expect(stderr).toContain('recording an entry')
  expect(status).toBe(code)
})

test('what is sent stands in its files, and names its entry, when the process was asked to end', async () => {
  const { sender } = pair
  sender.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  const { status, stdout } = await signalled(sender, 'SIGINT', 'send', 'draft.json')
  expect(JSON.parse(stdout)).toMatchObject({ answer: 'sent', document: expect.any(String) })
  expect(status).toBe(130)
})

test('a second signal waits for nothing', async () => {
  const path = await pair.bring()
  const ended = await signalled(pair.receiver, 'SIGINT,SIGTERM', 'receive', path)
  expect(ended).toMatchObject({ status: 143, stdout: '' })
  // What was promised is kept all the same.
  expect(codesOf(await pair.receive(path))).toContain('agent-handoff/not-replayed')
})

test('an agent gets the answer that was being recorded before the server ends', async () => {
  const { receiver } = pair
  const path = await pair.bring()
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = ['--import', `${preload}?SIGTERM`, program, 'mcp', '--root', receiver.root]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const closed = new Promise<void>(resolve => {
    client.onclose = resolve
  })
  const given = { action: 'receive', path }
  const answer = await client.callTool({ name: 'handoff', arguments: given })
  expect(answer).toMatchObject({ structuredContent: { answer: 'accepted' } })
  await closed
})
