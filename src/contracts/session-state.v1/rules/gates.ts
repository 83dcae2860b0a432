import { listed, quote, type Rules } from '../../../contract/index.ts'
import { missingArtifacts, missingAt } from '../artifacts.ts'
import { isEmpty } from '../empty.ts'
import { gateState, passes } from '../moves.ts'
import { FULL_KEYS } from '../output-mode.ts'
import { GATES, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'

const LISTED = 5

/** That a gate decides on what it was shown. */
export const gateRules = {
  'gate-has-artifacts': {
    severity: 'error',
    summary:
      'At an explicit gate `GateArtifacts` says what the gate requires and what of it is there.',
    why: 'It makes the decision of the gate something that can be checked rather than told.',
    reads: ['/Phase', '/GateArtifacts'],
    *check(state) {
      const gate = phaseOf(state)?.gate
      if (!gate) return
      const shown = state.GateArtifacts?.[gate.key]
      const path = ['GateArtifacts', gate.key]
      if (!shown) {
        yield {
          path,
          message: `phase ${state.Phase} is a gate, and GateArtifacts has no entry ${quote(gate.key)}`,
          hint: 'add it with Required, a list, and Provided, the status of each entry of the list',
        }
        return
      }
      for (const key of ['Required', 'Provided'] as const) {
        if (shown[key] !== undefined) continue
        yield {
          path: [...path, key],
          message: `the artifacts of gate ${gate.key} have no ${quote(key)}`,
          hint:
            key === 'Required'
              ? 'add the list of artifacts that the gate needs to see'
              : 'add for each required artifact: present, missing or not-applicable',
        }
      }
    },
  },
  'no-pass-with-missing-artifacts': {
    severity: 'error',
    summary: 'No gate lets the work pass while an artifact that it requires is missing.',
    why: 'A gate that passes without seeing what it asked for has decided nothing.',
    reads: ['/Gates', '/GateArtifacts'],
    *check(state) {
      if (!state.GateArtifacts) return
      for (const gate of GATES) {
        if (!passes(state, gate)) continue
        const missing = missingAt(state, gate.key)
        if (missing.length === 0) continue
        yield {
          path: ['Gates', gate.key],
          message: `gate ${gate.key} is ${gateState(state, gate)} without ${named(missing)}`,
          hint: 'set the gate to pending until everything that it requires is present or not-applicable',
        }
      }
    },
  },
  'missing-artifact-blocks': {
    severity: 'error',
    summary: 'While an artifact that a gate requires is missing, the session is blocked.',
    why: 'The work cannot go past the gate, and whoever has the artifact must learn that it is waited for.',
    reads: ['/Mode', '/GateArtifacts'],
    *check(state) {
      if (state.Mode === 'BLOCKED' || !state.GateArtifacts) return
      for (const { gate, artifact, path, unstated } of missingArtifacts(state)) {
        yield {
          path,
          message: unstated
            ? `${quote(artifact)} is required at gate ${gate}, and nothing says that it is there`
            : `${quote(artifact)} is missing at gate ${gate}, and the session is not blocked`,
          hint: 'provide it and say so, or write the mode BLOCKED and name it in Next after BLOCKED-',
        }
      }
    },
  },
  'present-artifacts-exist': {
    severity: 'warning',
    summary: 'A part of the state that is marked as present at a gate is there.',
    why: 'Whoever reads the gate takes the mark for the thing.',
    reads: ['/GateArtifacts'],
    *check(state) {
      const { GateArtifacts } = state
      if (!GateArtifacts) return
      for (const { key } of GATES) {
        const provided = GateArtifacts[key]?.Provided ?? {}
        for (const artifact of FULL_KEYS) {
          if (!Object.hasOwn(provided, artifact) || provided[artifact] !== 'present') continue
          if (!isEmpty(state[artifact])) continue
          yield {
            path: ['GateArtifacts', key, 'Provided', artifact],
            message: `${quote(artifact)} is marked as present, and the state does not hold it`,
            hint: 'add it to the state, or write missing',
          }
        }
      }
    },
  },
  'approved-gate-has-decision': {
    severity: 'error',
    summary: 'An approved architecture gate has at least one approved architecture decision.',
    why: 'Otherwise nobody can say later what was approved.',
    reads: ['/Gates/P5-Architecture', '/ArchitectureDecisions'],
    *check({ Gates, ArchitectureDecisions = [] }) {
      if (Gates?.['P5-Architecture'] !== 'approved') return
      if (ArchitectureDecisions.some(({ Status }) => Status === 'approved')) return
      yield {
        path: ['Gates', 'P5-Architecture'],
        message:
          ArchitectureDecisions.length === 0
            ? 'the architecture is approved without an architecture decision'
            : 'the architecture is approved, and none of its decisions is',
        hint: 'add the decision to ArchitectureDecisions with Status: approved, or set the gate to pending',
      }
    },
  },
  'ready-has-build-evidence': {
    severity: 'error',
    summary: 'Nothing is ready for a pull request while no build evidence is provided.',
    why: 'What a session may claim is bounded by what was shown to it.',
    reads: ['/Gates/P6-ImplementationQA', '/BuildEvidence/status'],
    *check({ Gates, BuildEvidence }) {
      if (Gates?.['P6-ImplementationQA'] !== 'ready-for-pr') return
      if (BuildEvidence?.status !== 'not-provided') return
      yield {
        path: ['Gates', 'P6-ImplementationQA'],
        message: 'the work is ready for a pull request, and build evidence is not provided',
        hint: 'run build and tests and record the result, or set the gate to pending',
      }
    },
  },
  'evidence-lists-runs': {
    severity: 'warning',
    summary: 'Build evidence that is provided lists what was run.',
    why: 'Only a command and its result let a reviewer verify what is claimed.',
    reads: ['/BuildEvidence'],
    *check({ BuildEvidence }) {
      const { status = 'not-provided', items = [] } = BuildEvidence ?? {}
      if (status === 'not-provided' || items.length > 0) return
      yield {
        path: ['BuildEvidence', 'status'],
        message: `the status of the build evidence is ${status}, and no run is listed`,
        hint: 'add items with tool, command and result, or write not-provided',
      }
    },
  },
  'evidence-supports-claim': {
    severity: 'warning',
    summary: 'What is ready for a pull request has build evidence, and none that says it fails.',
    why: 'A claim without evidence, or against it, is a wish.',
    reads: ['/Gates/P6-ImplementationQA', '/BuildEvidence'],
    *check({ Gates, BuildEvidence }) {
      if (Gates?.['P6-ImplementationQA'] !== 'ready-for-pr') return
      if (!BuildEvidence) {
        yield {
          path: ['BuildEvidence'],
          message: 'the work is ready for a pull request, and the state holds no build evidence',
          hint: 'add BuildEvidence with the commands that were run and their results',
        }
      }
      for (const [i, { result, tool, command }] of (BuildEvidence?.items ?? []).entries()) {
        if (result !== 'fail') continue
        yield {
          path: ['BuildEvidence', 'items', i, 'result'],
          message: `the work is ready for a pull request, and ${quote(tool ?? command ?? `run ${i + 1}`)} failed`,
          hint: 'mend it and record the new result, or set the gate to fix-required',
        }
      }
    },
  },
} satisfies Rules<SessionState>

function named(missing: readonly { artifact: string }[]): string {
  const names = missing.slice(0, LISTED).map(({ artifact }) => quote(artifact))
  const rest = missing.length - names.length
  return listed(rest > 0 ? [...names, `${rest} more`] : names)
}
