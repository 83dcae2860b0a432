import { WaybillError } from '../error.ts'
import { askForCosignatures } from './log-witness/ask.ts'
import { cosignRequest } from './log-witness/cosign.ts'
import type { LogWitnessOutput } from './log-witness/output.ts'
import { type ServeEvent, serveWitness } from './log-witness/serve.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    policy: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'The file that names witnesses, quorum and logs, C2SP tlog-policy (default: witnesses: in waybill.yaml).',
    },
    cosign: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'Be a witness instead: answer this request, as waybill log prove --from writes it (- reads standard input).',
    },
    serve: {
      type: 'string',
      placeholder: 'host:port',
      description:
        'Be a witness instead, and answer requests by HTTP at this address, until Ctrl-C.',
    },
  },
} as const

/** Has witnesses cosign the log, or cosigns the logs of others. */
export default defineOperation({
  name: 'log witness',
  summary: 'Have witnesses cosign the log, or be a witness of other logs',
  description:
    'A cosignature says that a witness has seen the log grow only by appending (C2SP tlog-witness), so nobody can be shown ' +
    'another one. Every witness of the policy is asked; what it signs is verified with its key, and published with the ' +
    'checkpoint until the log grows. The exit code is 1 if the quorum of the policy is not met. With --cosign or --serve ' +
    'checkpoints of other logs are cosigned: of those whose keys stand under trust: in waybill.yaml or in the policy file, ' +
    'and only as long as they go on from what was cosigned before. A log that does not is refused, and that is recorded ' +
    'as a security event where there is a log here.',
  examples: [
    { command: 'waybill log witness', does: 'ask the witnesses that waybill.yaml names' },
    {
      command: 'waybill log witness --cosign grown.add-checkpoint',
      does: 'cosign the checkpoint of another log',
    },
    {
      command: 'waybill log witness --serve 127.0.0.1:8087',
      does: 'be a witness that others ask, and show the key that they need',
    },
  ],
  // Agents do not choose whom this machine talks to, nor what it vouches for.
  actor: 'human',
  effect: 'write',
  input,
  run: witness,
  parts: (given, app) => (given.serve === undefined ? undefined : serve(given, app)),
  failed: output => (output.role === 'log' ? !output.met : output.answer === 'refused'),
})

type Input = TypeOf<typeof input>

async function witness(given: Input, app: App): Promise<LogWitnessOutput> {
  const { cosign, serve, policy } = given
  if (serve !== undefined)
    throw new WaybillError('usage', '--serve never ends, so it has no one answer', {
      hint: 'run it in a terminal or as a service',
    })
  return cosign === undefined
    ? await askForCosignatures(policy, app)
    : await cosignRequest(cosign, policy, app)
}

function serve(
  { cosign, serve: address = '', policy }: Input,
  app: App,
): AsyncIterable<ServeEvent> {
  if (cosign !== undefined)
    throw new WaybillError('usage', '--cosign and --serve are two ways to be a witness', {
      hint: 'give one of them',
    })
  return serveWitness(address, policy, app)
}
