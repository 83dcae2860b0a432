import { expect, test } from 'vitest'
import { GATES, PHASES } from './phases.ts'
import { workflowDiagram } from './picture.ts'

const lines = workflowDiagram().trim().split('\n')
const arrows = lines.filter(line => line.includes('-->'))

test('the picture shows every phase once, and every step of the table', () => {
  expect(lines[0]).toBe('stateDiagram-v2')
  expect(lines.filter(line => /^ {2}state "/.test(line))).toHaveLength(PHASES.length)
  const steps = PHASES.flatMap(({ next }) => next)
  // The beginning, the end, and from every gate the way that a refusal takes.
  expect(arrows).toHaveLength(steps.length + 2 + GATES.length)
  expect(new Set(arrows).size).toBe(arrows.length)
})

test('a step from a gate says what the gate has to say for it, and where a refusal leads', () => {
  expect(arrows).toContain('  P5 --> P5_3: approved')
  expect(arrows).toContain('  P5 --> P4: rejected')
  expect(arrows).toContain('  P5_6 --> P6: approved, not-applicable')
  expect(arrows).toContain('  P6 --> [*]: ready-for-pr')
  expect(arrows).toContain('  P4 --> P5')
})

test('names hold nothing that Mermaid would take for more than a name', () => {
  expect(lines.filter(line => /[;<>{}#]/.test(line.replace('-->', '')))).toEqual([])
})
