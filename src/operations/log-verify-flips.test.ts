import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder, recordSmall } from '../../test/ledger-folder.ts'
import { faultsOf } from '../../test/output.ts'
import { PROGRAM } from '../../test/program.ts'
import logErase from './log-erase.ts'
import logVerify from './log-verify.ts'

let folder: LedgerFolder
let program: Awaited<ReturnType<typeof openProgram>>
beforeAll(async () => {
  folder = await openLedgerFolder()
  folder.write('waybill.yaml', `people: claimed\n${folder.text('waybill.yaml')}`)
  // Each on its own, so that there are tiles and files of the index of several sizes.
  await folder.withGateway(gateway => recordSmall(gateway, 0))
  await folder.withGateway(gateway =>
    gateway.record('record', {
      subject: [{ name: 'a record', digest: { sha256: 'cd'.repeat(32) } }],
      ids: { record: 'cd'.repeat(32) },
      says: { type: 'note', record: { text: 'to be forgotten' } },
    }),
  )
  await logErase.run({ digest: '1', by: 'ada', why: 'a name' }, folder.app())
  program = await openProgram()
})
afterAll(async () => {
  await program.close()
  folder.remove()
})

test('the log verifies as it is, and tells what was erased', async () => {
  const output = await logVerify.run({}, folder.app())
  expect(output).toMatchObject({
    verified: true,
    size: 3,
    faults: [],
    erased: [
      { index: 1, by: 'ada', reason: 'a name', recorded: 2, ids: { record: 'cd'.repeat(32) } },
    ],
  })
  expect(folder.files()).toEqual(
    expect.arrayContaining(['.state/tree', 'checkpoint', 'content/000', 'tile/entries/000.p/3']),
  )
})

/** The program itself, which is asked again and again. */
async function openProgram() {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = [PROGRAM, 'mcp', '--root', folder.root]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const ask = async (action: string, more = {}) => {
    const name = action === 'trace' ? 'chain' : 'log'
    return (await client.callTool({ name, arguments: { action, ...more } })).structuredContent
  }
  return { ask, close: () => client.close() }
}

test.each([
  ['verify', {}, 'verified'],
  ['show', { about: '1' }, 'shown'],
  ['show', {}, 'entries'],
  ['export', {}, 'events'],
  ['prove', { entry: '1' }, 'proves'],
  ['trace', { id: 'cd'.repeat(32) }, 'steps'],
])(
  'what %s answers of an erased entry (%j) fits what is published of it',
  async (action, given, member) => {
    const answer = await program.ask(action, given)
    expect(answer).toHaveProperty(member)
    expect(faultsOf(action === 'trace' ? action : `log ${action}`, answer)).toEqual([])
  },
)

/** Of so many places in a row one is tried. */
const STRIDE = process.env.WAYBILL_LONG_FAULTS === '1' ? 1 : 41

test('one flipped bit at any place of any file is found', async () => {
  const sound = { verified: true, errors: 0 }
  const verify = () => logVerify.run({}, folder.app())
  const unseen: string[] = []
  let places = 0
  expect(await verify()).toMatchObject(sound)
  for (const file of folder.files()) {
    const path = join(folder.ledger, file)
    const bytes = folder.read(file)
    for (const [at, byte] of bytes.entries()) {
      // The last place of each file is tried, too.
      if (places++ % STRIDE !== 0 && at + 1 < bytes.length) continue
      writeFileSync(path, bytes.with(at, byte ^ (1 << (at % 8))))
      const { verified, errors } = await verify()
      if (verified || errors === 0) unseen.push(`${file} ${at}`)
    }
    writeFileSync(path, bytes)
  }
  expect(await verify()).toMatchObject(sound)
  expect(unseen).toEqual([])
  expect(places).toBeGreaterThan(5000)
}, 600_000)
