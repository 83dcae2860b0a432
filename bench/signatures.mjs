// The minimal work of verifying a log: one signature per entry, on all cores.
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isMainThread, Worker } from 'node:worker_threads'

const [ledger, entries] = process.argv.slice(2)
const threads = availableParallelism()
if (isMainThread)
  for (let other = 1; other < threads; other++)
    new Worker(new URL(import.meta.url), { argv: [ledger, entries] })

// Repeats those of one file, so that reading and decoding are not measured.
const [, rawBytes] = /"rawBytes":"([^"]+)"/.exec(
  readFileSync(join(ledger, 'tile/entries/000'), 'latin1'),
)
const key = createPublicKey({ key: Buffer.from(rawBytes, 'base64'), format: 'der', type: 'spki' })
const lines = readFileSync(join(ledger, 'content/000'), 'utf8').trimEnd().split('\n')
const signed = lines.map(line => {
  const { payload, payloadType, signatures } = JSON.parse(line)
  const bytes = Buffer.from(payload, 'base64')
  const before = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `)
  return {
    message: Buffer.concat([before, bytes]),
    signature: Buffer.from(signatures[0].sig, 'base64'),
  }
})
for (let done = 0; done < entries / threads; done++) {
  const { message, signature } = signed[done % signed.length]
  if (!verify('sha256', message, key, signature)) throw new Error('invalid signature')
}
