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
        'The policy file with witnesses, quorum and logs, C2SP tlog-policy (default: witnesses: in waybill.yaml).',
    },
    cosign: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'Act as a witness: answer this request from waybill log prove --from (- reads standard input).',
    },
    serve: {
      type: 'string',
      placeholder: 'host:port',
      description: 'Act as a witness: answer HTTP requests at this address, until Ctrl-C.',
    },
  },
} as const

/** Gets cosignatures for this log, or cosigns other logs as a witness. */
export default defineOperation({
  name: 'log witness',
  summary: 'Get cosignatures from witnesses, or act as a witness',
  description:
    'A cosignature states that a witness has seen the log only grow (C2SP tlog-witness), so the log cannot show ' +
    'different versions. Asks every witness of the policy, verifies the cosignatures and publishes them with the ' +
    'checkpoint. Exits with 1 if the quorum is not met. With --cosign or --serve, cosigns logs whose keys are ' +
    'listed under trust: in waybill.yaml or in the policy file, if they extend what was cosigned before. Refuses ' +
    'other checkpoints, and records a fork as a security event if there is a log here.',
  examples: [
    { command: 'waybill log witness', does: 'ask the witnesses named in waybill.yaml' },
    {
      command: 'waybill log witness --cosign grown.add-checkpoint',
      does: 'cosign the checkpoint of another log',
    },
    {
      command: 'waybill log witness --serve 127.0.0.1:8087',
      does: 'act as a witness, and show its key',
    },
  ],
  // Agents must not choose which hosts this machine contacts or what it signs.
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
    throw new WaybillError(
      'usage',
      '--serve runs until it is stopped, so it has no single result',
      {
        hint: 'run it in a terminal or as a service',
      },
    )
  return cosign === undefined
    ? await askForCosignatures(policy, app)
    : await cosignRequest(cosign, policy, app)
}

function serve(
  { cosign, serve: address = '', policy }: Input,
  app: App,
): AsyncIterable<ServeEvent> {
  if (cosign !== undefined)
    throw new WaybillError('usage', '--cosign and --serve cannot be combined', {
      hint: 'pass only one of them',
    })
  return serveWitness(address, policy, app)
}
