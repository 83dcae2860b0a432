import { rotateKey } from '../governance/index.ts'
import { changeAndRecord, inTurn } from './key/record.ts'
import { changesOutput } from './key/report.ts'
import type { KeyRotateOutput } from './key-rotate/output.ts'
import { type App, defineOperation } from './operation.ts'

const input = {
  type: 'object',
  required: ['holder'],
  properties: {
    holder: {
      type: 'string',
      positional: true,
      description: 'The holder: the id of an agent, gateway or log.',
    },
  },
} as const

/** Replaces a holder's key; earlier signatures stay verifiable. */
export default defineOperation({
  name: 'key rotate',
  summary: 'Replace the key of an agent, the gateway or the log',
  description:
    'Creates a key, lists the public key under trust in waybill.yaml and ends the validity of the old one, keeping ' +
    'comments and order. Earlier signatures stay verifiable. Commit waybill.yaml, so that others trust the new ' +
    'key. Keys of people are listed by hand. Keys of the log and its gateway can be rotated only where their ' +
    'private keys are.',
  examples: [
    { command: 'waybill key rotate domain-05-product', does: 'replace the key of an agent' },
    { command: 'waybill key rotate gateway', does: 'replace the key of the gateway here' },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: ({ holder }, app) => rotate(holder, app),
})

async function rotate(holder: string, app: App): Promise<KeyRotateOutput> {
  const change = await inTurn(app, now =>
    changeAndRecord(begins => rotateKey(app.root, holder, now, begins), app),
  )
  return changesOutput([change])
}
