import { listed, quote, type Rules } from '../../../contract/index.ts'
import { missingArtifacts, missingAt } from '../artifacts.ts'
import { isEmpty } from '../empty.ts'
import { gateState, passes } from '../moves.ts'
import { parseNext } from '../next.ts'
import { FULL_KEYS } from '../output-mode.ts'
import { GATES, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'

const LISTED = 5

/** The rules about the artifacts of gates. */
export const gateRules = {
  'gate-has-artifacts': {
    severity: 'error',
    summary: 'At an explicit gate, `GateArtifacts` lists what the gate requires and its status.',
    why: 'It makes the decision of the gate verifiable.',
    reads: ['/Phase', '/GateArtifacts'],
    *check(state) {
      const gate = phaseOf(state)?.gate
      if (!gate) return
      const shown = state.GateArtifacts?.[gate.key]
      const path = ['GateArtifacts', gate.key]
      if (!shown) {
        yield {
          path,
          message: `phase ${state.Phase} is a gate, but GateArtifacts has no entry ${quote(gate.key)}`,
          hint: 'add it with Required, a list, and Provided, the status of each entry',
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
              ? 'add the list of artifacts that the gate requires'
              : 'add for each required artifact: present, missing or not-applicable',
        }
      }
    },
  },
  'no-pass-with-missing-artifacts': {
    severity: 'error',
    summary: 'No gate passes while a required artifact is missing.',
    why: 'A gate that passes without its required artifacts has verified nothing.',
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
          hint: 'set the gate to pending until every required artifact is present or not-applicable',
        }
      }
    },
  },
  'missing-artifact-blocks': {
    severity: 'error',
    summary: 'While a required artifact of a gate is missing, the session is blocked.',
    why: 'The work cannot pass the gate, and a person must see that the artifact is needed.',
    reads: ['/Mode', '/GateArtifacts'],
    *check(state) {
      if (state.Mode === 'BLOCKED' || !state.GateArtifacts) return
      for (const { gate, artifact, path, unstated } of missingArtifacts(state)) {
        yield {
          path,
          message: unstated
            ? `${quote(artifact)} is required at gate ${gate}, but its status is not recorded`
            : `${quote(artifact)} is missing at gate ${gate}, but the session is not blocked`,
          hint: 'provide it and record it, or set the mode to BLOCKED and name it in Next after BLOCKED-',
        }
      }
    },
  },
  'required-artifacts-listed': {
    severity: 'error',
    summary: 'A gate that passed lists the artifacts that it required.',
    why: 'A gate without required artifacts has verified nothing.',
    reads: ['/Gates', '/GateArtifacts'],
    *check(state) {
      for (const gate of GATES) {
        const required = state.GateArtifacts?.[gate.key]?.Required
        if (!required || !passes(state, gate) || required.some(name => name.trim() !== '')) continue
        yield {
          path: ['GateArtifacts', gate.key, 'Required'],
          message: `gate ${gate.key} is ${gateState(state, gate)}, but lists no required artifact`,
          hint: 'list the artifacts shown to the gate, with their status under Provided, or set the gate to pending',
        }
      }
    },
  },
  'business-rules-gate-open': {
    severity: 'error',
    summary:
      'While business rules are being discovered, their gate is not marked as not applicable.',
    why: 'The rules found in phase 1.5 must be complied with, and this gate verifies it.',
    reads: ['/Phase', '/Gates/P5.4-BusinessRules'],
    *check(state) {
      if (phaseOf(state)?.id !== '1.5') return
      if (state.Gates?.['P5.4-BusinessRules'] !== 'not-applicable') return
      yield {
        path: ['Gates', 'P5.4-BusinessRules'],
        message: 'business rules are being discovered, but their gate is not-applicable',
        hint: 'write pending: the gate applies from phase 1.5 on',
      }
    },
  },
  'blocked-names-artifact': {
    severity: 'warning',
    summary: 'A session blocked by a missing artifact names it in `Next`.',
    why: 'A reader of `Next` alone must see what to provide.',
    reads: ['/Mode', '/Next', '/GateArtifacts'],
    *check(state) {
      const pointer = parseNext(state.Next ?? '')
      if (state.Mode !== 'BLOCKED' || pointer.kind !== 'blocked' || !pointer.reason) return
      const unnamed = missingArtifacts(state).filter(
        ({ artifact }) => !isDescribed(artifact, pointer.reason),
      )
      if (unnamed.length === 0) return
      yield {
        path: ['Next'],
        message: `${quote(state.Next)} does not name ${named(unnamed)}, missing at gate ${listed([...new Set(unnamed.map(({ gate }) => gate))])}`,
        hint: `write what is missing after BLOCKED-, such as BLOCKED-${unnamed[0]?.artifact}`,
      }
    },
  },
  'present-artifacts-exist': {
    severity: 'warning',
    summary: 'A part of the state that a gate marks as present exists.',
    why: 'A reader of the gate relies on the mark.',
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
            message: `${quote(artifact)} is marked as present, but the state does not have it`,
            hint: 'add it to the state, or write missing',
          }
        }
      }
    },
  },
  'approved-gate-has-decision': {
    severity: 'error',
    summary: 'An approved architecture gate has at least one approved architecture decision.',
    why: 'Otherwise it is unclear later what was approved.',
    reads: ['/Gates/P5-Architecture', '/ArchitectureDecisions'],
    *check({ Gates, ArchitectureDecisions = [] }) {
      if (Gates?.['P5-Architecture'] !== 'approved') return
      if (ArchitectureDecisions.some(({ Status }) => Status === 'approved')) return
      yield {
        path: ['Gates', 'P5-Architecture'],
        message:
          ArchitectureDecisions.length === 0
            ? 'the architecture is approved without an architecture decision'
            : 'the architecture is approved, but none of its decisions is',
        hint: 'add the decision to ArchitectureDecisions with Status: approved, or set the gate to pending',
      }
    },
  },
} satisfies Rules<SessionState>

function named(missing: readonly { artifact: string }[]): string {
  const names = missing.slice(0, LISTED).map(({ artifact }) => quote(artifact))
  const rest = missing.length - names.length
  return listed(rest > 0 ? [...names, `${rest} more`] : names)
}

/** Whether a reason contains a word of the name in any form: `architecture-decision` matches ArchitectureDecisions. */
function isDescribed(artifact: string, reason: string): boolean {
  const words = artifact.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+|[\p{Lo}]+/gu) ?? []
  // Two letters count as a word only in scripts without case; otherwise the `s` of ADRs would match every reason.
  const stems = words.map(stemOf).filter(stem => stem.length > 2 || /\p{Lo}/u.test(stem))
  const text = reason.toLowerCase()
  return (stems.length > 0 ? stems : [stemOf(artifact)]).some(stem => text.includes(stem))
}

/** A word in lower case without a plural ending, never empty. */
const stemOf = (word: string) => word.toLowerCase().replace(/(?<=.)(?:ies|s|y)$/, '')
