import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TestFolder } from '../../test/test-folder.ts'
import {
  endWitnesses,
  openWitnessFolder,
  postTo,
  signingLog,
  startWitness,
  type WitnessProcess,
} from '../../test/witnesses.ts'
import { digestBytes } from '../governance/index.ts'
import { ED25519, formatVerifierKey, fromHex, verifierKey } from '../ledger/index.ts'
import logWitness from './log-witness.ts'

const log = signingLog('example.com/log')
const ONE = { from: 0, word: 'one' }
const TWO = { from: 0, word: 'two' }
const folders: TestFolder[] = []
afterAll(() => {
  endWitnesses()
  for (const folder of folders) folder.remove()
})

function witnessOf(keys: readonly string[] = [log.key]): TestFolder {
  const folder = openWitnessFolder(keys)
  folders.push(folder)
  return folder
}

test('what litewitness is asked in its tests is answered over HTTP as it answers', async () => {
  const file = join(import.meta.dirname, '../ledger/testdata/witness/litewitness.json')
  const { origin, publicKey, steps } = JSON.parse(readFileSync(file, 'utf8'))
  const key = verifierKey(digestBytes, origin, ED25519, fromHex(publicKey) ?? new Uint8Array())
  const folder = witnessOf([])
  folder.write('policy.txt', `log ${formatVerifierKey(key)}\nquorum none\n`)
  const { url } = await startWitness(folder.root, '--policy', 'policy.txt')
  const statuses: number[] = []
  for (const { body } of steps) statuses.push((await postTo(url, body)).status)
  expect(statuses).toEqual(steps.map(({ status }: { status: number }) => status))
})

test('answers have the form that the protocol gives them', async () => {
  const { url, answers } = await startWitness(witnessOf().root)
  const cosigned = await postTo(url, await log.request(0, 3))
  expect(cosigned).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' })
  expect(cosigned.text).toMatch(/^— urn:waybill:witness:\S+ \S+\n$/)
  const conflict = await postTo(url, await log.request(0, 4))
  expect(conflict).toEqual({ status: 409, type: 'text/x.tlog.size', text: '3\n' })
  expect(await postTo(url, await log.request(3, 3, ONE))).toEqual(conflict)
  expect((await postTo(url, await log.request(3, 4, ONE))).status).toBe(422)
  expect((await postTo(url, Buffer.of(0xff))).status).toBe(400)
  expect((await postTo(`${url}other/`, 'old 0\n')).status).toBe(404)
  expect((await fetch(`${url}add-checkpoint`)).status).toBe(405)
  expect((await postTo(url, 'x'.repeat(262_145))).status).toBe(413)
  expect((await postTo(url, await log.request(3, 4))).status).toBe(200)
  const statuses = [200, 409, 409, 422, 400, 404, 405, 413, 200]
  await expect.poll(() => answers.map(({ status }) => status)).toEqual(statuses)
})

test('of 32 requests at once for two histories, to two processes, one history alone is cosigned', async () => {
  const { root } = witnessOf()
  const [one, two] = await Promise.all([startWitness(root), startWitness(root)])
  expect(one.key).toBe(two.key)
  const asked = Array.from({ length: 32 }, async (_, i) => {
    const other = i % 2 === 0 ? ONE : TWO
    const body = await log.request(0, 5 + (i % 5), other)
    const { url } = i % 3 === 0 ? one : two
    return { word: other.word, ...(await postTo(url, body)) }
  })
  const answers = await Promise.all(asked)
  const words = new Set(answers.flatMap(({ status, word }) => (status === 200 ? [word] : [])))
  expect(words.size).toBe(1)
  // Each began at no entries: only the first can have been cosigned.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(31)
})

test('a process that is killed while it answers has cosigned nothing that is not kept', async () => {
  const { root } = witnessOf()
  const words = new Set<string>()
  let cosigned = 0
  for (let round = 0; round < 10; round++) {
    const witness = await startWitness(root)
    // It answers a request from another size with the size that it has kept.
    const kept = Number((await postTo(witness.url, await log.request(99, 99, ONE))).text)
    expect(kept).toBeGreaterThanOrEqual(cosigned)
    for (const other of round % 2 === 0 ? [ONE, TWO] : [TWO, ONE]) {
      const answer = postTo(witness.url, await log.request(kept, kept + 1, other))
      // The last round is left to end.
      const delay = new Promise(resolve => setTimeout(resolve, Math.random() * 20))
      if (round < 9) void delay.then(() => witness.end())
      const { status } = await answer.catch(() => ({ status: 0 }))
      if (status === 200) {
        words.add(other.word)
        cosigned = kept + 1
      }
    }
    await witness.end()
  }
  expect(words.size).toBe(1)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'at %s it answers open requests, and ends, whatever else is connected',
  async signal => {
    const witness = await startWitness(witnessOf().root)
    const { hostname, port } = new URL(witness.url)
    const idle = connect(Number(port), hostname)
    idle.on('error', () => undefined)
    idle.write('POST /add-checkpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nold')
    expect((await postTo(witness.url, await log.request(0, 3))).status).toBe(200)
    expect(await witness.end(signal)).toBe(signal === 'SIGINT' ? 130 : 143)
    await expect(postTo(witness.url, '')).rejects.toThrow()
    idle.destroy()
  },
)

test.each<readonly [address: string, code: string]>([
  ['8087', 'usage'],
  [':8087', 'usage'],
  ['127.0.0.1:', 'usage'],
  ['127.0.0.1:65536', 'usage'],
  ['192.0.2.1:0', 'input-output'],
])('nothing is served at %s', async (serve, code) => {
  const folder = witnessOf()
  const parts = logWitness.parts?.({ serve }, folder.app(), 'json')
  await expect(parts?.[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code })
})

test('an address in use is reported as that', async () => {
  const folder = witnessOf()
  const { url }: WitnessProcess = await startWitness(folder.root)
  const parts = logWitness.parts?.({ serve: new URL(url).host }, folder.app(), 'json')
  await expect(parts?.[Symbol.asyncIterator]().next()).rejects.toThrow('EADDRINUSE')
})
