import { formatInstant } from '../document/index.ts'
import { logKeyText, type Witnessed, witnessesOf } from '../governance/index.ts'
import { keyOf, parseNote, toHex } from '../ledger/index.ts'
import { openPublished } from './log/one-entry.ts'
import type { LogCheckpointOutput } from './log-checkpoint/output.ts'
import { policyOf } from './log-witness/policy.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    key: {
      type: 'boolean',
      description: 'Print the verifier keys of the log instead.',
    },
  },
} as const

/** Returns the latest signed checkpoint of the log. */
export default defineOperation({
  name: 'log checkpoint',
  summary: 'Print the latest signed checkpoint of the log',
  description:
    'Prints exactly the signed note (C2SP tlog-checkpoint): origin, size, root and signatures, including those of ' +
    'witnesses. Keep it elsewhere to prove later that nothing was changed or removed: waybill log prove --from ' +
    '<size>. Writes nothing.',
  examples: [
    {
      command: 'waybill log checkpoint > checkpoint.txt',
      does: 'save the current checkpoint',
    },
    { command: 'waybill log checkpoint --key', does: 'print the keys that an auditor needs' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: checkpoint,
})

async function checkpoint(
  { key = false }: TypeOf<typeof input>,
  app: App,
): Promise<LogCheckpointOutput> {
  const { origin, trust, signed, config } = await openPublished(app)
  const { size, root } = signed.checkpoint
  const read = parseNote(signed.note)
  const signatures = 'fault' in read ? [] : read.signatures
  const own = trust.of('log', origin)
  const policy = policyOf(undefined, config, app)?.policy
  const witnessed = policy ? await witnessesOf(signed, policy) : []
  return {
    origin,
    size,
    root: toHex(root),
    note: signed.note,
    signers: signatures.map(({ name, id }) => ({
      key: `${name}+${id}`,
      log: own.some(({ publicKey: { note } }) => note?.name === name && note.id === id),
      ...witnessOf(`${name}+${id}`, witnessed),
    })),
    keys: own
      .filter(({ revoked }) => revoked === undefined)
      .map(({ publicKey }) => logKeyText(origin, publicKey.der.slice(-32))),
    gateway: trust
      .of('gateway', origin)
      .map(({ publicKey }) => Buffer.from(publicKey.der).toString('base64')),
    keysOnly: key,
  }
}

/** Returns the configured witness with a valid cosignature by a key. */
function witnessOf(key: string, witnessed: readonly Witnessed[]) {
  const found = witnessed.find(one => keyOf(one.key) === key && one.time !== undefined)
  const time = found?.time
  return {
    witness: found?.name ?? null,
    time: time === undefined ? null : formatInstant(time * 1000),
  }
}
