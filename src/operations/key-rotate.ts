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
      description: 'Whose key: the id of an agent, gateway or log.',
    },
  },
} as const

/** Gives a holder a new key; what the old one signed stays verifiable. */
export default defineOperation({
  name: 'key rotate',
  summary: 'Give an agent, the gateway or the log a new key; the old one stays for verification',
  description:
    'Makes a key, lists its public half under trust in waybill.yaml and ends the old one there, with comments and order ' +
    'kept. Commit waybill.yaml: others trust the new key from then on. People make their own keys and are listed by ' +
    'hand. The keys of the log and its gateway can be rotated only where they are.',
  examples: [
    { command: 'waybill key rotate domain-05-product', does: 'a new key for an agent' },
    { command: 'waybill key rotate gateway', does: 'a new key for the gateway of this repository' },
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
