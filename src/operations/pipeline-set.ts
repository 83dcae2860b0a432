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
        'An agent, a phase or a barrier: pipeline/phase/agent, or as much of that as says which.',
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

/** Sets the status of an agent, a phase or a barrier, and what follows from it. */
export default defineOperation({
  name: 'pipeline set',
  summary: 'Set the status of an agent, a phase or a barrier, and what follows from it',
  description:
    'Phases, the workflow, the queue, figures and times that follow from the status are kept true in the same step; comments and ' +
    'order stay. Refused is what cannot be: to start what waits, to complete an agent whose output is not there, or to ' +
    'make the document worse than it was. Of two writers at a time one wins and the other is told.',
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
