import { AFTER_ALL, PHASES, type Phase } from './phases.ts'

/** Renders the workflow table as a Mermaid state diagram. */
export function workflowDiagram(): string {
  const lines = PHASES.flatMap(phase => [
    `  state "${nameOf(phase)}" as ${idOf(phase)}`,
    ...phase.next.map(id => `  ${idOf(phase)} --> ${idOf(phaseWith(id))}${labelFor(phase)}`),
    ...wayBack(phase),
  ])
  const [first] = PHASES
  const last = PHASES[AFTER_ALL - 1]
  return [
    'stateDiagram-v2',
    ...(first ? [`  [*] --> ${idOf(first)}`] : []),
    ...lines,
    ...(last?.gate ? [`  ${idOf(last)} --> [*]: ${last.gate.passes.join(', ')}`] : []),
    '',
  ].join('\n')
}

function phaseWith(id: string): Phase {
  const phase = PHASES.find(p => p.id === id)
  if (!phase) throw new Error(`the table leads to ${id}, which is not in it`)
  return phase
}

const idOf = ({ id }: Phase) => `P${id.replace(/[^A-Za-z0-9]/g, '_')}`
const nameOf = ({ id, about }: Phase) => `${id} ${about}`

/** The states that let the work continue past a gate; an optional gate stops it only by refusing. */
function labelFor({ gate, passedOver }: Phase): string {
  if (!gate) return ''
  const { states, passes, refuses } = gate
  const open = states.filter(state => {
    if (passedOver === 'allowed') return state !== refuses
    return passes.includes(state) || (passedOver !== 'error' && state === 'not-applicable')
  })
  return `: ${open.join(', ')}`
}

function wayBack({ id, gate }: Phase): string[] {
  if (!gate) return []
  const to = gate.backTo ?? id
  return [`  ${idOf(phaseWith(id))} --> ${idOf(phaseWith(to))}: ${gate.refuses}`]
}
