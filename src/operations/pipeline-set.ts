import { settled } from './gateway/settle.ts'
import { defineOperation } from './operation.ts'
import { FILE } from './pipeline/find.ts'
import { STATUSES, setStatus } from './pipeline/set-status.ts'

const input = {
  type: 'object',
  required: ['target', 'status'],
  properties: {
    target: {
      type: 'string',
      positional: true,
      placeholder: 'address',
      description:
        'An agent, phase or barrier: pipeline/phase/agent, or any unambiguous part of it.',
    },
    status: { type: 'string', enum: STATUSES, positional: true, description: 'Its new status.' },
    file: FILE,
    expect: {
      type: 'string',
      placeholder: 'sha256',
      description: 'Write only if the document still has this digest.',
    },
  },
} as const

/** Sets the status of an agent, phase or barrier. */
export default defineOperation({
  name: 'pipeline set',
  summary: 'Set the status of an agent, phase or barrier',
  description:
    'Updates the derived statuses of phases and workflow, the queue, counts and times in the same step; comments and order ' +
    'are kept. Refuses to start a unit that waits, to complete an agent whose output is missing, or to add an error to the ' +
    'document. When two processes write at once, one gets a conflict. Exits with 1 when refused.',
  examples: [
    { command: 'waybill pipeline set ps-researcher-001 IN_PROGRESS', does: 'start an agent' },
    { command: 'waybill pipeline set ps/1/ps-researcher-001 COMPLETE', does: 'complete it' },
    { command: 'waybill pipeline set barrier-1 COMPLETE', does: 'pass a barrier' },
    { command: 'waybill pipeline set ps/2 BLOCKED', does: 'block a phase' },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => settled(setStatus(given, app), app),
  failed: output => !output.accepted,
})
